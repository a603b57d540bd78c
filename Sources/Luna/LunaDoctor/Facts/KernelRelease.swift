/// Which kernel runs, as a version that can be compared.
struct KernelRelease: Hashable, Sendable {
  /// As `uname -r` tells.
  let name: String
  let major: Int
  let minor: Int
  let patch: Int
  /// N of rcN; nil for a release.
  let candidate: Int?

  /// Reads what the kernel says of itself.
  ///
  /// Distributions freeze the number in the name: Debian's 6.1.0-18 is 6.1.76. What it really is stands
  /// in the kernel's version (Debian) or in a file of its own (Ubuntu).
  ///
  /// - Parameters:
  ///   - name: what uname(2) calls the release.
  ///   - version: what it calls the version, or nothing.
  ///   - signature: /proc/version_signature, or nothing.
  init?(_ name: String, version: String = "", signature: String = "") {
    self.name = name
    let words = version.split(separator: " ")
    let debian = words.firstIndex(of: "Debian").flatMap { place in
      words.index(after: place) < words.endIndex ? words[words.index(after: place)] : nil
    }
    let ubuntu = signature.hasPrefix("Ubuntu ") ? signature.split(separator: " ").last : nil
    guard
      let numbers = KernelRelease.numbers(debian ?? ubuntu ?? Substring(name))
        ?? KernelRelease.numbers(Substring(name))
    else { return nil }
    (major, minor, patch, candidate) = numbers
  }

  /// A text as uname(2) gives it.
  static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  /// `6.1.76-1`, `7.1.0-rc3`, `7.1-rc3-amd64`, `7.1~rc3-1~exp1`.
  private static func numbers(_ text: Substring) -> (Int, Int, Int, Int?)? {
    let digits = text.prefix { $0.isNumber || $0 == "." }
    let parts = digits.split(separator: ".").map { Int($0) }
    guard parts.count >= 2, let major = parts[0], let minor = parts[1] else { return nil }
    let rest = text.dropFirst(digits.count).drop { $0 == "-" || $0 == "~" }
    let candidate = rest.hasPrefix("rc") ? Int(rest.dropFirst(2).prefix(while: \.isNumber)) : nil
    return (major, minor, parts.count > 2 ? parts[2] ?? 0 : 0, candidate)
  }

  /// Whether it is `first` or newer, and older than `last`: each major, minor, patch.
  func isWithin(_ first: [Int], _ last: [Int]) -> Bool {
    let own = [major, minor, patch]
    return !own.lexicographicallyPrecedes(first) && own.lexicographicallyPrecedes(last)
  }
}
