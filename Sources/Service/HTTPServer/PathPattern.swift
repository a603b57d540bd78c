import SafeText

/// A path with parameters, such as `/v1/gateways/{id}/devices/{ref}`: each stands for one part of it.
public struct PathPattern: Hashable, Sendable {
  private enum Part: Hashable, Sendable {
    case literal(String)
    case parameter(String)
  }

  /// As it was declared.
  public let text: String
  private let parts: [Part]

  /// A pattern that begins with `/`; `{NAME}` stands for one part, which is not empty.
  public init(_ text: String) {
    self.text = text
    parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map { part in
      part.hasPrefix("{") && part.hasSuffix("}")
        ? .parameter(String(part.dropFirst().dropLast())) : .literal(String(part))
    }
  }

  /// The parameters of a path that it fits, decoded; nil where it does not.
  public func match(_ path: some StringProtocol) -> [String: String]? {
    let given = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    guard path.hasPrefix("/"), given.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (part, text) in zip(parts, given) {
      switch part {
      case .literal(let literal): guard literal == text else { return nil }
      case .parameter(let name):
        guard !text.isEmpty, let value = PathPattern.decoded(text) else { return nil }
        values[name] = value
      }
    }
    return values
  }

  /// Whether this one is asked before another one: a literal part comes before a parameter.
  public func precedes(_ other: PathPattern) -> Bool {
    for (one, two) in zip(parts, other.parts) {
      switch (one, two) {
      case (.literal, .parameter): return true
      case (.parameter, .literal): return false
      default: continue
      }
    }
    return false
  }

  /// A part of a path (RFC 3986, 2.1); nil for bytes that are not UTF-8, and for those that programs
  /// behind this one could take for the end of a part or of a text.
  private static func decoded(_ text: some StringProtocol) -> String? {
    guard let bytes = PercentEncoding.decode(text),
      bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "/") }),
      bytes != [0x2E], bytes != [0x2E, 0x2E]
    else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }
}
