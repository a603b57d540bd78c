import Glibc
import TLSStream
import UplinkProtocol

/// The access to a machine, on a thread that may wait: it is opened, and kept open until somebody ends it, or it is
/// lost.
final class AccessRun {
  private enum State {
    case opening(WebSocketOpening)
    case open(WebSocketSession)
    case over
  }

  /// What is spoken over it.
  private static let subprotocol = "net.measurementlab.envelope"
  /// More than a service says in a test, bytes. Who talks without end takes data that nobody counts.
  private static let limit = 64 << 10

  private let socket: TLSSocket
  private let end: EndSignal
  private var state: State
  private var buffer = [UInt8](repeating: 0, count: 4096)
  /// How many bytes have come.
  private var heard = 0

  /// Begins to connect; nil where that fails.
  ///
  /// - Parameter authorities: a file of certificates (PEM) to trust instead of those of the system.
  init?(to url: WebSocketURL, authorities: String?, _ end: EndSignal) {
    let trust: TLSTrust =
      if let authorities {
        .authorities(file: authorities, name: url.host)
      } else {
        .system(name: url.host)
      }
    guard let server = try? ServerAddress(lookingUp: url.host),
      let socket = try? TLSSocket(
        to: server, port: url.port, trust, asking: url.isAddress ? nil : url.host)
    else { return nil }
    self.socket = socket
    self.end = end
    state = .opening(WebSocketOpening(url, subprotocol: AccessRun.subprotocol))
  }

  /// Opens it.
  ///
  /// - Returns: whether it is open before the deadline.
  func open(until deadline: ContinuousClock.Instant) -> Bool {
    while case .opening = state {
      let left = (ContinuousClock.now.duration(to: deadline) / .milliseconds(1)).rounded(.up)
      guard left > 0 else { return false }
      step(Int32(min(left, 1e6)))
    }
    if case .open = state { return true }
    return false
  }

  /// Keeps it open.
  func keep() { while case .open = state { step(-1) } }

  private func step(_ patience: Int32) {
    var polls = [
      pollfd(fd: end.descriptor, events: Int16(POLLIN), revents: 0), socket.query(reads: true),
    ]
    guard poll(&polls, 2, socket.mayHoldMore ? 0 : patience) >= 0 else { return }
    if polls[0].revents != 0 { return leave() }
    guard socket.mayHoldMore || polls[1].revents != 0 else { return }
    guard socket.isOpen else { return connect() }
    switch socket.receive(buffer.count, into: &buffer) {
    case .bytes(let count):
      heard += count
      if heard > AccessRun.limit { state = .over } else { take(Array(buffer[..<count])) }
    case .nothing: if !socket.proceed() { state = .over }
    case .end, .failure: state = .over
    }
  }

  private func connect() {
    guard socket.proceed() else {
      state = .over
      return
    }
    guard socket.isOpen, case .opening(let opening) = state else { return }
    send(opening.request)
  }

  private func take(_ bytes: [UInt8]) {
    switch state {
    case .opening(var opening):
      do throws(WebSocketError) {
        let rest = try opening.take(bytes)
        state = rest == nil ? .opening(opening) : .open(WebSocketSession(.client))
        if let rest, !rest.isEmpty { take(rest) }
      } catch {
        state = .over
      }
    case .open(var session):
      let actions = session.take(bytes)
      state = .open(session)
      for action in actions { perform(action) }
    case .over: break
    }
  }

  private func perform(_ action: WebSocketAction) {
    switch action {
    // Whoever asks, and does not read the answers, would have them wait in memory without end.
    case .send(let bytes): if socket.isSending { state = .over } else { send(bytes) }
    // What the service says does not matter: that it is there does.
    case .message: break
    case .finish: state = .over
    }
  }

  private func send(_ bytes: [UInt8]) { if !socket.send(bytes) { state = .over } }

  /// Closes in order, but waits for nobody.
  private func leave() {
    if case .open(var session) = state {
      for action in session.close() { perform(action) }
    }
    state = .over
  }
}
