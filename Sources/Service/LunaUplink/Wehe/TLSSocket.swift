import Glibc
import TLSStream
import UplinkProtocol

/// A connection over TLS. It takes leave when nobody uses it any more.
final class TLSSocket: ChannelSocket {
  private let connection: StreamSocket
  private let stream: TLSStream
  private(set) var mayHoldMore = false
  /// Why TLS could not be spoken.
  private var error: TLSError?

  /// Begins to connect; nil where that fails at once.
  ///
  /// - Parameters:
  ///   - name: the name that the server is asked for; nil for none.
  ///   - speaking: what is offered to be spoken (ALPN); nil for nothing.
  ///   - isOlder: whether TLS 1.2 is the newest version that is offered.
  /// - Throws: `TLSError` when TLS cannot be spoken at all.
  init?(
    to server: ServerAddress, port: UInt16, _ trust: TLSTrust, asking name: String?,
    speaking: String? = nil, isOlder: Bool = false
  ) throws(TLSError) {
    guard let connection = StreamSocket(to: server, port: port) else { return nil }
    stream = try TLSStream(
      over: connection.descriptor, .client(trust, asking: name), speaking: speaking,
      isOlder: isOlder)
    self.connection = connection
  }

  deinit { if stream.isOpen { stream.leave() } }

  var failure: ReplayError? { error.map { ReplayError($0) } ?? connection.failure }

  var isOpen: Bool { stream.isOpen }

  var isSending: Bool { stream.isSending }

  /// Has nothing of what still waits sent when it is closed.
  func abandon() { connection.abandon() }

  var leastRoundTrip: Double? { connection.leastRoundTrip }

  /// The round trip of one that receives, s; nil where none is known.
  var receivingRoundTrip: Double? { connection.receivingRoundTrip }

  /// What is known of the connection, in which bytes are also those of TLS itself; nil where the kernel does not tell.
  var counters: FlowCounters? { connection.counters }

  func query(reads: Bool) -> pollfd {
    guard connection.isOpen else { return connection.query(reads: reads) }
    let events = stream.events(reads: reads)
    return pollfd(fd: events == 0 ? -1 : connection.descriptor, events: events, revents: 0)
  }

  func proceed() -> Bool {
    guard connection.isOpen || connection.proceed() else { return false }
    let wasOpen = isOpen
    do throws(TLSError) {
      try stream.proceed()
    } catch {
      self.error = error
      return false
    }
    // The first that the server says may have come with the end of its handshake.
    if isOpen, !wasOpen { mayHoldMore = true }
    return true
  }

  func send(_ bytes: [UInt8], to port: UInt16 = 0) -> Bool {
    do throws(TLSError) {
      try stream.send(bytes)
      return true
    } catch {
      self.error = error
      return false
    }
  }

  func receive(_ limit: Int, into buffer: inout [UInt8]) -> FlowArrival {
    mayHoldMore = false
    do throws(TLSError) {
      switch try stream.receive(limit, into: &buffer) {
      case .bytes(let count):
        mayHoldMore = true
        return .bytes(count)
      case .nothing: return .nothing
      case .end: return .end
      }
    } catch {
      self.error = error
      return .failure
    }
  }
}
