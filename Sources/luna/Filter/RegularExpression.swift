import Glibc

/// A compiled POSIX extended regular expression (regex(7)).
final class RegularExpression: @unchecked Sendable {  // regexec(3) only reads what regcomp(3) made
  /// Why an expression could not be compiled, in the C library's words.
  struct CompileError: Error {
    let reason: String
  }

  private let compiled: UnsafeMutablePointer<regex_t>

  init(_ pattern: String) throws(CompileError) {
    // Not `compiled` itself before it is good: once all is assigned, a throw runs `deinit`.
    let fresh = UnsafeMutablePointer<regex_t>.allocate(capacity: 1)
    fresh.initialize(to: regex_t())
    let result = regcomp(fresh, pattern, REG_EXTENDED | REG_NOSUB)
    guard result == 0 else {
      var message = [CChar](repeating: 0, count: 256)
      regerror(result, fresh, &message, message.count)
      fresh.deallocate()
      let text = String(
        decoding: message.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      throw CompileError(reason: text)
    }
    compiled = fresh
  }

  deinit {
    regfree(compiled)
    compiled.deallocate()
  }

  /// Whether the expression matches somewhere in `text`.
  func matches(_ text: String) -> Bool { regexec(compiled, text, 0, nil, 0) == 0 }
}
