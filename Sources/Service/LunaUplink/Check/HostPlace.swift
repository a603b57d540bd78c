import Diagnosis
import TLSStream
package import UplinkProtocol

/// Where a server of ours is, looked up once, and who vouches for it.
package struct HostPlace: Sendable {
  /// What is spoken in the slots, and offered in their handshakes (ALPN).
  static let spoken = "http/1.1"

  /// Where the side channel is.
  let session: WebSocketURL
  let address: ServerAddress
  let authorities: String?
  let checksName: Bool

  /// Looks up a server.
  ///
  /// - Parameters:
  ///   - url: `https://HOST[:PORT]`.
  ///   - authorities: a file of certificates (PEM) to trust instead of those of the system.
  ///   - checksName: whether the certificate has to be of the server's name; those of the system have to in any case.
  /// - Throws: ``UplinkProtocol/ReplayError`` of kind `connect`.
  package static func find(
    _ url: String, authorities: String?, checksName: Bool = true
  ) async throws(ReplayError) -> HostPlace {
    guard let session = HostPlace.session(url) else {
      throw ReplayError(
        .connect, "\(url) is no address of a server", remedy: "use https://HOST[:PORT]")
    }
    let address = try await ServerAddress.find(session.host)
    return HostPlace(
      session: session, address: address, authorities: authorities, checksName: checksName)
  }

  /// Whether a text is `https://HOST[:PORT]`.
  package static func isURL(_ url: String) -> Bool { session(url) != nil }

  private static func session(_ url: String) -> WebSocketURL? {
    let scheme = "https://"
    guard url.hasPrefix(scheme) else { return nil }
    var rest = url.dropFirst(scheme.count)
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    guard !rest.contains("/"), !rest.contains("?") else { return nil }
    return WebSocketURL("wss://\(rest)/v1/uplink/session")
  }

  /// The name that a network can recognise; nil where it is an address, which nobody is asked for.
  var name: String? { session.isAddress ? nil : session.host }

  /// Begins to connect.
  ///
  /// - Parameters:
  ///   - name: the name that the server is asked for; nil for none.
  ///   - change: what is otherwise than usual.
  func connect(
    asking name: String?, _ change: SlotChange = SlotChange()
  ) throws(ReplayError) -> TLSSocket {
    let trust: TLSTrust =
      if let authorities {
        .authorities(file: authorities, name: checksName ? session.host : nil)
      } else {
        .system(name: session.host)
      }
    do throws(TLSError) {
      let socket = try TLSSocket(
        to: address, port: change.port ?? session.port, trust, asking: name,
        speaking: change.speaking, isOlder: change.isOlder)
      if let socket { return socket }
    } catch {
      throw ReplayError(error)
    }
    throw ReplayError(.connect)
  }
}
