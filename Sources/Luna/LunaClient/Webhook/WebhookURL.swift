import Diagnosis
package import LunaCore

/// Where a webhook is, checked before anything is sent there. Its path and its query are often all that
/// keeps others out: no text shows them.
package struct WebhookURL: Sendable {
  /// The whole.
  let text: String
  /// The part that may be shown: scheme, host and port.
  package let place: String
  package let isEncrypted: Bool
  package let isLoopback: Bool

  /// - Parameter allowsInsecure: whether what happens may go over plain http to other machines.
  package init(_ text: String, allowsInsecure: Bool) throws(BackendError) {
    let scheme = text.prefix { $0 != ":" }.lowercased()
    let rest = text.dropFirst(scheme.count)
    guard scheme == "http" || scheme == "https", rest.hasPrefix("://"),
      text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) })
    else {
      throw BackendError(
        .address, "the webhook's address is no URL of http", remedy: "use https://HOST[:PORT]/PATH")
    }
    let authority = rest.dropFirst(3).prefix { !"/?#".contains($0) }
    guard !authority.contains("@") else {
      throw BackendError(
        .address, "the webhook's address has a user name or password in it",
        remedy: "leave it out; a token goes into a file")
    }
    let host = BackendURL.host(authority)
    guard !host.isEmpty else { throw BackendError(.address, "the webhook's address has no host") }
    isEncrypted = scheme == "https"
    isLoopback = BackendURL.isLoopback(host)
    place = "\(scheme)://\(authority)"
    self.text = text
    guard isEncrypted || isLoopback || allowsInsecure else {
      throw BackendError(
        .address, "\(place) is not https: anybody on the network path could read what happens",
        remedy: "use https, or allow it with \(.insecureWebhook)")
    }
  }
}
