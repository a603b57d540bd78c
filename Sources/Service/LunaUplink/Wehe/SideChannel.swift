import Glibc
import UplinkProtocol

/// The side channel of a replay.
final class SideChannel: ReplayPart {
  private let socket: StreamSocket
  private var buffer = [UInt8](repeating: 0, count: 16 << 10)

  /// Begins to connect; nil where that fails at once.
  init?(to server: ServerAddress, port: UInt16) {
    guard let socket = StreamSocket(to: server, port: port) else { return nil }
    self.socket = socket
  }

  var queries: [pollfd] { [socket.query(reads: true)] }

  /// The session says how long it waits.
  var deadline: ContinuousClock.Instant? { nil }

  /// The least round trip so far, s; nil where none is known.
  var leastRoundTrip: Double? { socket.leastRoundTrip }

  /// Sends; that the connection is gone is seen when it is read.
  func send(_ bytes: [UInt8]) { _ = socket.send(bytes) }

  func serve(_ ready: [Int16]) -> [ReplayEvent] {
    guard ready.contains(where: { $0 != 0 }) else { return [] }
    guard socket.isOpen else { return [socket.proceed() ? .connected : .notConnected] }
    // Read first: what the server said before it closed counts more than that nothing can be sent any more.
    switch socket.receive(buffer.count, into: &buffer) {
    case .bytes(let count): return [.received(Array(buffer[..<count]))]
    case .nothing: return socket.proceed() ? [] : [.closed]
    case .end, .failure: return [.closed]
    }
  }
}
