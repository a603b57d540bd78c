import Bluetooth
import CLinux
import Glibc
import HTTPServer
import LunaCore
import Synchronization
import UplinkProtocol

/// The side channel of a session at a server: a WebSocket, on a thread that may wait.
final class SessionLine: Sendable {
  private struct Outbox {
    var replies: [SessionReply] = []
    var isOver = false
  }

  /// Whoever lets more wait does not read.
  private static let patience = 256 << 10
  /// How often time is looked at, ms.
  private static let tick: Int32 = 1_000

  private let connection: UpgradedConnection
  /// At which port it was asked, as the client says; nil where it says none.
  private let port: UInt16?
  private let bell: EndSignal
  private let outbox = Mutex(Outbox())

  /// Nil where there are no descriptors left.
  ///
  /// - Parameter host: whom the client asked, with the port where that is not 443.
  init?(_ connection: UpgradedConnection, asked host: String?) {
    guard let bell = EndSignal() else { return nil }
    self.connection = connection
    port = host.flatMap { SessionLine.port(of: $0) }
    self.bell = bell
  }

  /// The port that a host is asked at over TLS (RFC 9110, 4.2.2); nil for what is none.
  static func port(of host: String) -> UInt16? {
    // An address of IPv6 stands in brackets.
    guard let colon = host.lastIndex(of: ":"), host.last != "]" else { return 443 }
    let digits = host[host.index(after: colon)...]
    guard digits.first?.isNumber == true, let port = UInt16(digits), port > 0 else { return nil }
    return port
  }

  /// Says something.
  func say(_ reply: SessionReply) {
    outbox.withLock { $0.replies.append(reply) }
    bell.call()
  }

  /// Ends it, behind what was said.
  func end() {
    outbox.withLock { $0.isOver = true }
    bell.call()
  }

  /// Serves it to its end.
  ///
  /// - Parameters:
  ///   - heard: is told what the client says.
  ///   - idle: is called when time has passed.
  func run(heard: (String) -> Void, idle: () -> Void) {
    defer { connection.close() }
    var socket = WebSocketSession(.server)
    var pending: [UInt8] = []
    var isOver = perform(socket.take(connection.early), &pending, heard)
    while !isOver {
      let (replies, isLast) = outbox.withLock { outbox in
        defer { outbox.replies = [] }
        return (outbox.replies, outbox.isOver)
      }
      for reply in replies {
        let text = reply.text(askedAt: port, now: Timestamp(microseconds: luna_now()).rfc3339)
        _ = perform(socket.say(.text(text)), &pending, heard)
      }
      if isLast { _ = perform(socket.close(), &pending, heard) }
      guard flush(&pending), pending.count <= SessionLine.patience, !isLast else { return }
      guard let bytes = wait(isSending: !pending.isEmpty) else { return }
      idle()
      if !bytes.isEmpty { isOver = perform(socket.take(bytes), &pending, heard) }
    }
    _ = flush(&pending)
  }

  /// - Returns: whether that was the end.
  private func perform(
    _ actions: [WebSocketAction], _ pending: inout [UInt8], _ heard: (String) -> Void
  ) -> Bool {
    for action in actions {
      switch action {
      case .send(let bytes): pending += bytes
      case .message(.text(let text)): heard(text)
      // Only texts are spoken.
      case .message(.binary), .finish: return true
      }
    }
    return false
  }

  /// Sends what goes now.
  ///
  /// - Returns: false when the connection is gone.
  private func flush(_ pending: inout [UInt8]) -> Bool {
    while !pending.isEmpty {
      let count = pending.withUnsafeBytes {
        Int(luna_send(connection.descriptor, $0.baseAddress, $0.count))
      }
      guard count > 0 else { return -count == Int(EAGAIN) }
      pending.removeFirst(count)
    }
    return true
  }

  /// What has come; none where it is only time that has passed, or somebody has something to say. Nil at the end.
  private func wait(isSending: Bool) -> [UInt8]? {
    let events = Int16(isSending ? POLLIN | POLLOUT : POLLIN)
    var polls = [
      pollfd(fd: connection.descriptor, events: events, revents: 0),
      pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0), connection.parting,
    ]
    guard poll(&polls, 3, SessionLine.tick) > 0 else { return [] }
    if polls[1].revents != 0 {
      var count: eventfd_t = 0
      eventfd_read(bell.descriptor, &count)
    }
    guard polls[0].revents & ~Int16(POLLOUT) != 0 else {
      return polls[2].revents == 0 ? [] : nil
    }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes {
      recv(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
    }
    if count < 0, errno == EAGAIN || errno == EINTR { return [] }
    return count > 0 ? Array(buffer[..<count]) : nil
  }
}
