import Diagnosis
package import LunaCore
import SafeText

/// The address of a backend, checked before anything is sent there.
package struct BackendURL: Sendable {
  /// Scheme, host, port and path, without a slash at the end.
  let base: String
  /// Whether it is https.
  let isEncrypted: Bool
  /// Whether it is this machine.
  let isLoopback: Bool

  package init(_ text: String, allowsInsecure: Bool) throws(BackendError) {
    guard let end = text.firstRange(ofText: "://"),
      text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else {
      throw BackendError(
        .address, "the backend's address is not a URL", remedy: "use https://HOST[:PORT]")
    }
    let scheme = text[..<end.lowerBound].lowercased()
    let rest = text[end.upperBound...]
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    // Before anything of it is shown: it would be a password.
    guard !authority.contains("@") else {
      throw BackendError(
        .address, "the backend's address has a user name or password in it",
        remedy: "leave it out; the token goes into a file")
    }
    guard !rest.contains("?"), !rest.contains("#") else {
      throw BackendError(.address, "the backend's address has a query", remedy: "leave it out")
    }
    let host = BackendURL.host(authority)
    guard !host.isEmpty, scheme == "https" || scheme == "http" else {
      throw BackendError(
        .address, "the backend's address \(text) is neither https nor http",
        remedy: "use https://HOST[:PORT]")
    }
    isEncrypted = scheme == "https"
    isLoopback = BackendURL.isLoopback(host)
    guard isEncrypted || isLoopback || allowsInsecure else {
      throw BackendError(
        .address, "\(text) is not https: anybody on the network path could read the token",
        remedy: "use https, or allow it with \(.insecureBackend)")
    }
    var base = text
    while base.hasSuffix("/") { base.removeLast() }
    self.base = base
  }

  static func host(_ authority: Substring) -> Substring {
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      return authority[authority.index(after: authority.startIndex)..<end]
    }
    return authority.prefix { $0 != ":" }
  }

  /// By what it says, not by what it resolves to: a name can be made to lead anywhere.
  static func isLoopback(_ host: Substring) -> Bool {
    if host.lowercased() == "localhost" || host == "::1" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }
}
