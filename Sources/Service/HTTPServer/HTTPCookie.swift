/// A cookie as a server sets it (RFC 6265, 4.1).
public struct HTTPCookie: Hashable, Sendable {
  /// To which requests from other sites it goes along.
  public enum SameSite: String, Sendable {
    /// To none.
    case strict = "Strict"
    /// To those that only show a page.
    case lax = "Lax"
    /// To all; only ``isSecure`` ones.
    case none = "None"
  }

  /// Its name, a token (RFC 9110, 5.6.2).
  public let name: String
  /// Its value: ASCII without blanks, quotation marks, commas, semicolons and backslashes.
  public let value: String
  /// Below which path it goes along.
  public var path = "/"
  /// How long it is kept, s; nil until the browser ends. Zero takes it away.
  public var maxAge: Int?
  /// Whether it goes only over https.
  public var isSecure = true
  /// Whether scripts do not see it.
  public var isHTTPOnly = true
  /// To which requests from other sites it goes along.
  public var sameSite = SameSite.lax

  /// A cookie that no script sees, for https.
  ///
  /// - Returns: nil for a name or a value with characters that a cookie cannot have (RFC 6265, 4.1.1).
  public init?(_ name: String, _ value: String) {
    guard !name.isEmpty, name.utf8.allSatisfy(RequestCheck.isTokenByte),
      value.utf8.allSatisfy(HTTPCookie.isValueByte)
    else { return nil }
    self.name = name
    self.value = value
  }

  private static func isValueByte(_ byte: UInt8) -> Bool {
    (0x21..<0x7F).contains(byte) && !"\",;\\".utf8.contains(byte)
  }

  /// The header field; nil where the flags are not those that its name promises (RFC 6265bis, 4.1.3).
  var line: String? {
    let lower = name.lowercased()
    let isKept =
      isSecure
      || !lower.hasPrefix("__host-") && !lower.hasPrefix("__secure-") && sameSite != .none
    guard isKept, !lower.hasPrefix("__host-") || path == "/", path.hasPrefix("/"),
      path.utf8.allSatisfy(HTTPCookie.isValueByte)
    else { return nil }
    var line = "\(name)=\(value); Path=\(path); SameSite=\(sameSite.rawValue)"
    if let maxAge { line += "; Max-Age=\(max(0, maxAge))" }
    if isSecure { line += "; Secure" }
    if isHTTPOnly { line += "; HttpOnly" }
    return line
  }

  /// The value of a cookie in what a browser sent.
  ///
  /// - Returns: nil where there is none, or more than one: another site on the same host could have set
  ///   the second.
  static func value(of name: String, in header: String) -> String? {
    var found: String?
    for part in header.split(separator: ";") {
      let pair = part.drop { $0 == " " || $0 == "\t" }
      guard let sign = pair.firstIndex(of: "="), pair[..<sign] == name else { continue }
      guard found == nil else { return nil }
      var value = pair[pair.index(after: sign)...]
      while let last = value.last, last == " " || last == "\t" { value.removeLast() }
      if value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") {
        value = value.dropFirst().dropLast()
      }
      found = String(value)
    }
    guard let found, found.utf8.allSatisfy(isValueByte) else { return nil }
    return found
  }
}
