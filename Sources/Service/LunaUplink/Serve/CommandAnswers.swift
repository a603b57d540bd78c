import CLinux
import Glibc
import HTTPServer
import UplinkProtocol

/// Answers the requests of a slot of commands, on a thread that may wait. Nothing of them is kept.
struct CommandAnswers {
  /// How long a client may say nothing, or not read, ms.
  private static let patience: Int32 = 10_000

  let connection: UpgradedConnection
  let meter: SlotMeter

  /// Answers until there were as many bytes as were asked for, and the client is gone.
  func serve(bytes: Int) {
    defer { connection.close() }
    var (left, asked) = (bytes, connection.early.count)
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      while asked >= CommandSlot.request, left >= CommandSlot.answer {
        asked -= CommandSlot.request
        left -= CommandSlot.answer
        guard answer() else { return }
      }
      guard wait(Int16(POLLIN)) else { return }
      let count = buffer.withUnsafeMutableBytes {
        recv(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
      }
      if count < 0, errno == EAGAIN || errno == EINTR { continue }
      guard count > 0, asked <= CommandSlot.bytes else { return }
      asked += count
    }
  }

  private func answer() -> Bool {
    var generator = SystemRandomNumberGenerator()
    let words = (0..<CommandSlot.answer / 8).map { _ in generator.next() }
    var rest = words.withUnsafeBytes { Array($0) }[...]
    meter.take(rest.count)
    meter.look(at: connection.transport)
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Int(luna_send(connection.descriptor, $0.baseAddress, $0.count))
      }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else {
        guard -count == Int(EAGAIN), wait(Int16(POLLOUT)) else { return false }
      }
    }
    return true
  }

  private func wait(_ events: Int16) -> Bool {
    var polls = [
      pollfd(fd: connection.descriptor, events: events, revents: 0), connection.parting,
    ]
    return poll(&polls, 2, CommandAnswers.patience) > 0 && polls[0].revents != 0
  }
}
