import Glibc
import TLSStream
import UplinkProtocol

/// The side channel of a replay.
final class SideChannel: ReplayPart {
  private let socket: any ChannelSocket
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)

  /// Begins to connect; nil where that fails at once.
  ///
  /// - Throws: `TLSError` when TLS cannot be spoken at all.
  init?(of client: WeheClient) throws(TLSError) {
    let (server, port) = (client.server, client.sideChannelPort)
    let socket: (any ChannelSocket)?
    if let file = client.authorities {
      // Its certificate is checked for no name, and so it is asked for none.
      socket = try TLSSocket(
        to: server, port: port, .authorities(file: file, name: nil), asking: nil)
    } else {
      socket = StreamSocket(to: server, port: port)
    }
    guard let socket else { return nil }
    self.socket = socket
  }

  var queries: [pollfd] { [socket.query(reads: true)] }

  /// The session says how long it waits.
  var deadline: ContinuousClock.Instant? { socket.mayHoldMore ? .now : nil }

  /// The least round trip so far, s; nil where none is known.
  var leastRoundTrip: Double? { socket.leastRoundTrip }

  /// Sends; that the connection is gone is seen when it is read.
  func send(_ bytes: [UInt8]) { _ = socket.send(bytes, to: 0) }

  func serve(_ ready: [Int16]) -> [ReplayEvent] {
    guard socket.mayHoldMore || ready.contains(where: { $0 != 0 }) else { return [] }
    guard socket.isOpen else { return open() }
    // Read first: what the server said before it closed counts more than that nothing can be sent any more.
    switch socket.receive(buffer.count, into: &buffer) {
    case .bytes(let count): return [.received(Array(buffer[..<count]))]
    case .nothing: return socket.proceed() ? [] : [.closed]
    case .end, .failure: return [.closed]
    }
  }

  private func open() -> [ReplayEvent] {
    if socket.proceed() { return socket.isOpen ? [.connected] : [] }
    return [socket.failure.map { ReplayEvent.failed($0) } ?? .notConnected]
  }
}
