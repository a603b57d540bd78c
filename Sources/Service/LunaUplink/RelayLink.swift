import Glibc
import UplinkProtocol

/// One connection through a relay. The client says where it wants to go as to an HTTP proxy (RFC 9110,
/// 9.3.6); from then on bytes go both ways as they come.
///
/// An end is read when the other one has taken everything: so no more than a chunk waits.
final class RelayLink {
  private static let chunk = 64 << 10
  private static let headLimit = 8 << 10
  private static let headEnd = Array("\r\n\r\n".utf8)

  /// Client and server; -1 for one that is not there yet.
  private var ends: [Int32]
  /// What is to be written to either end.
  private var pending: [[UInt8]] = [[], []]
  /// Whether an end has said that it sends no more.
  private var isEnded = [false, false]
  private let clientPort: UInt16
  private var head: [UInt8] = []
  /// Its number in the record; nil while the client has not said where it wants to go.
  private var number: Int?

  init(client: Int32, port: UInt16) {
    ends = [client, -1]
    clientPort = port
  }

  deinit { for end in ends where end >= 0 { close(end) } }

  /// What is waited for at the client and at the server.
  var polls: [pollfd] {
    [0, 1].map { end in
      var events: Int16 = 0
      if !isEnded[end], pending[1 - end].isEmpty { events |= Int16(POLLIN) }
      if !pending[end].isEmpty { events |= Int16(POLLOUT) }
      // An end that has hung up is ready for ever: nothing is asked of it any more.
      return pollfd(fd: events == 0 ? -1 : ends[end], events: events, revents: 0)
    }
  }

  /// Does what can be done now.
  ///
  /// - Returns: whether the connection goes on.
  func serve(_ ready: [Int16], _ target: RelayTarget, _ record: inout RelayRecord) -> Bool {
    for end in [0, 1] where ready[end] != 0 {
      if !pending[end].isEmpty {
        guard flush(end) else { return false }
      } else if !isEnded[end] {
        guard read(end, target, &record) else { return false }
      }
    }
    return !(isEnded[0] && isEnded[1] && pending[0].isEmpty && pending[1].isEmpty)
  }

  private func read(_ end: Int, _ target: RelayTarget, _ record: inout RelayRecord) -> Bool {
    var bytes = [UInt8](repeating: 0, count: RelayLink.chunk)
    let count = recv(ends[end], &bytes, bytes.count, 0)
    guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
    guard count > 0 else {
      isEnded[end] = true
      // Who never said where to go is gone.
      guard number != nil else { return false }
      shutdown(ends[1 - end], Int32(SHUT_WR))
      return true
    }
    bytes.removeSubrange(count...)
    guard let number else { return take(bytes, target, &record) }
    record.append(bytes, from: end == 0 ? .client : .server, on: number)
    guard !record.isFull else { return false }
    pending[1 - end] = bytes
    return flush(1 - end)
  }

  /// Reads where the client wants to go. It waits for the answer before it sends more.
  private func take(_ bytes: [UInt8], _ target: RelayTarget, _ record: inout RelayRecord) -> Bool {
    head += bytes
    guard head.count <= RelayLink.headLimit else { return false }
    guard head.suffix(4).elementsEqual(RelayLink.headEnd) else { return true }
    let words = String(decoding: head, as: UTF8.self).prefix { $0 != "\r\n" }.split(separator: " ")
    guard words.count == 3, words[0] == "CONNECT",
      RelayTarget(authority: String(words[1])) == target
    else { return refuse("403 Forbidden") }
    guard let server = RelaySocket.connect(target) else { return refuse("502 Bad Gateway") }
    ends[1] = server
    number = record.connect(from: clientPort)
    guard number != nil else { return false }
    pending[0] = Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
    return flush(0)
  }

  private func refuse(_ status: String) -> Bool {
    pending[0] = Array("HTTP/1.1 \(status)\r\nContent-Length: 0\r\n\r\n".utf8)
    _ = flush(0)
    return false
  }

  /// Writes what waits for an end, or a part of it.
  private func flush(_ end: Int) -> Bool {
    let count = send(ends[end], pending[end], pending[end].count, Int32(MSG_NOSIGNAL))
    guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
    pending[end].removeFirst(count)
    return true
  }
}
