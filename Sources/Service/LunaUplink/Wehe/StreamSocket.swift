import CLinux
import Glibc
import UplinkProtocol

/// A connection over TCP of a replay, without Nagle's algorithm: what is sent has the sizes of the recording.
final class StreamSocket: FlowSocket {
  /// It is closed when nobody uses this any more.
  let descriptor: Int32
  private(set) var isOpen = false
  private var pending: ArraySlice<UInt8> = []
  /// What connecting came to (errno); 0 while nothing has failed.
  private var code: Int32 = 0

  /// Begins to connect; nil where there is no descriptor left.
  init?(to server: ServerAddress, port: UInt16) {
    guard let descriptor = server.socket(isStream: true) else { return nil }
    self.descriptor = descriptor
    var on: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    let result = server.call(port: port) { Int(Glibc.connect(descriptor, $0, $1)) }
    // Loopback may be connected by now; that is seen as with any other.
    code = result == 0 || errno == EINPROGRESS ? 0 : errno
  }

  var failure: ReplayError? {
    code == 0 ? nil : ReplayError(notOpened: String(cString: strerror(code)))
  }

  deinit { close(descriptor) }

  var isSending: Bool { !pending.isEmpty }

  func query(reads: Bool) -> pollfd {
    var events: Int16 = 0
    if !isOpen || isSending { events |= Int16(POLLOUT) }
    if isOpen, reads { events |= Int16(POLLIN) }
    // A connection that has ended is ready for ever: nothing is asked of it where nothing is wanted.
    return pollfd(fd: events == 0 ? -1 : descriptor, events: events, revents: 0)
  }

  func proceed() -> Bool {
    if !isOpen {
      if code == 0 { code = luna_socket_error(descriptor) }
      guard code == 0 else { return false }
      isOpen = true
    }
    while !pending.isEmpty {
      let count = pending.withUnsafeBytes { Int(luna_send(descriptor, $0.baseAddress, $0.count)) }
      guard count > 0 else { return -count == Int(EAGAIN) }
      pending = pending.dropFirst(count)
    }
    return true
  }

  func send(_ bytes: [UInt8], to port: UInt16 = 0) -> Bool {
    pending += bytes
    return !isOpen || proceed()
  }

  func receive(_ limit: Int, into buffer: inout [UInt8]) -> FlowArrival {
    let room = min(limit, buffer.count)
    let count = buffer.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress, room, 0) }
    if count > 0 { return .bytes(count) }
    if count == 0 { return .end }
    return errno == EAGAIN || errno == EINTR ? .nothing : .failure
  }

  /// Has nothing of what still waits sent when it is closed: the server sees that it broke off.
  func abandon() {
    var none = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
  }

  /// The least round trip so far, s; nil where none is known.
  var leastRoundTrip: Double? {
    let microseconds = luna_least_round_trip(descriptor)
    return microseconds > 0 ? Double(microseconds) / 1e6 : nil
  }

  /// The round trip as one that receives sees it, s, with what waits on the way; nil where none is known.
  var receivingRoundTrip: Double? {
    var counters = luna_tcp_counters()
    guard luna_read_tcp_counters(descriptor, &counters) == 0, counters.receiving_round_trip > 0
    else { return nil }
    return Double(counters.receiving_round_trip) / 1e6
  }

  /// What is known of it as of one that sends; nil where the kernel does not tell.
  var counters: FlowCounters? { FlowCounters(of: descriptor) }
}
