import Diagnosis
import EventLoop
import Glibc
import Synchronization

/// Waits on this machine for a browser that comes back (RFC 8252, 7.3). One use; calls block.
///
/// Several connections are read at once: browsers open some that say nothing.
final class LoopbackListener: @unchecked Sendable {
  /// What else may come before it is given up.
  private static let others = 16

  let port: UInt16
  private let descriptor: Int32
  /// Ends the wait when something is written to the second.
  private var pipe: [Int32] = [-1, -1]

  /// - Parameter port: 0 for any.
  init(port wanted: UInt16) throws(AccountError) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let descriptor = socket(AF_INET, kind | Int32(SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = wanted.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    let isListening = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        descriptor >= 0 && bind(descriptor, address, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isListening, Glibc.pipe(&pipe) == 0 else {
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      throw AccountError(
        .configuration,
        "cannot listen on 127.0.0.1:\(wanted): \(String(cString: strerror(code)))",
        remedy: "use \(.redirectPort), if the issuer allows another")
    }
    for end in pipe { LoopbackListener.prepare(end) }
    self.descriptor = descriptor
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    close(descriptor)
    for end in pipe where end >= 0 { close(end) }
  }

  /// Ends the wait.
  func cancel() { _ = write(pipe[1], "x", 1) }

  private struct Visitor {
    let socket: Int32
    var bytes: [UInt8] = []
  }

  /// Waits for the redirect.
  ///
  /// - Returns: its query.
  func wait(path: String, patience: Duration) throws(AccountError) -> String {
    let end = ContinuousClock.now + patience
    var visitors: [Visitor] = []
    defer { for visitor in visitors { close(visitor.socket) } }
    var others = 0
    var turns = AcceptTurns()
    while true {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else {
        throw AccountError(
          .expired, "the browser did not come back in time", remedy: "use \(.signIn) again")
      }
      let rest = turns.rest(at: .now)
      // Without room for another connection, those that there are go on.
      var polls = [rest < 0 ? descriptor : -1, pipe[0]].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      polls += visitors.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
      let limit = Int32(min(left / .milliseconds(1) + 1, 1_000_000))
      _ = poll(&polls, nfds_t(polls.count), rest < 0 ? limit : min(rest, limit))
      if polls[1].revents != 0 { throw .cancelled }
      var gone: Set<Int32> = []
      for (index, query) in polls.dropFirst(2).enumerated() where query.revents != 0 {
        switch LoopbackListener.read(&visitors[index], path) {
        case .incomplete: continue
        case .redirect(let query):
          LoopbackListener.answer(visitors[index].socket, isOurs: true)
          return query
        case .other:
          // A connection that was closed without a word counts for nothing.
          if !visitors[index].bytes.isEmpty { others += 1 }
          LoopbackListener.answer(visitors[index].socket, isOurs: false)
          gone.insert(visitors[index].socket)
        }
      }
      for socket in gone { close(socket) }
      visitors.removeAll { gone.contains($0.socket) }
      guard others <= LoopbackListener.others else {
        throw AccountError(.denied, "something else keeps asking where the browser is to come back")
      }
      if polls[0].revents != 0 { try welcome(&visitors, &turns) }
    }
  }

  private func welcome(
    _ visitors: inout [Visitor], _ turns: inout AcceptTurns
  ) throws(AccountError) {
    let socket = accept(descriptor, nil, nil)
    guard socket >= 0 else {
      let code = errno
      guard turns.goOn(after: code, at: .now) else {
        throw AccountError(
          .configuration,
          "cannot listen on 127.0.0.1:\(port): \(String(cString: strerror(code)))")
      }
      return
    }
    LoopbackListener.prepare(socket)
    visitors.append(Visitor(socket: socket))
    // The one that is silent for longest makes room.
    if visitors.count > LoopbackListener.others { close(visitors.removeFirst().socket) }
  }

  /// For this program alone, and never waiting.
  private static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  private static func read(_ visitor: inout Visitor, _ path: String) -> LoopbackRequest {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = recv(visitor.socket, &buffer, buffer.count, 0)
    guard count > 0 else { return count < 0 && errno == EAGAIN ? .incomplete : .other }
    visitor.bytes += buffer[..<count]
    return LoopbackRequest(visitor.bytes, path: path)
  }

  private static func answer(_ socket: Int32, isOurs: Bool) {
    let body =
      isOurs
      ? "<!doctype html><meta charset=utf-8><title>Luna</title><p>You can close this page."
      : "Not found.\n"
    let head =
      "HTTP/1.1 \(isOurs ? "200 OK" : "404 Not Found")\r\n"
      + "Content-Type: text/\(isOurs ? "html" : "plain"); charset=utf-8\r\n"
      + "Content-Length: \(body.utf8.count)\r\nContent-Security-Policy: default-src 'none'\r\n"
      + "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n"
    var text = head + body
    text.withUTF8 { _ = send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(socket, Int32(SHUT_WR))
  }
}
