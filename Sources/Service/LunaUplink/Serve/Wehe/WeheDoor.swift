import HTTPServer

/// A port where clients of Wehe's connect.
struct WeheDoor: Sendable {
  /// What is spoken behind it.
  enum Kind: Sendable {
    /// The side channel, with TLS or without.
    case side(isPlain: Bool)
    /// The data of replays.
    case data
  }

  let socket: ListeningSocket
  let kind: Kind

  init(_ kind: Kind, _ address: ListenAddress) throws(ServerError) {
    self.kind = kind
    socket = try ListeningSocket(address)
  }
}
