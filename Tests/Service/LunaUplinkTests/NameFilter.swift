import EventLoop
import Glibc
import Synchronization

@testable import LunaUplink

/// A middlebox on loopback: resets who asks for a name in a handshake, and hands on all else.
final class NameFilter: Sendable {
  let port: UInt16
  private let listener: Int32
  private let reset = Mutex(0)

  init(_ name: String, to server: UInt16) throws {
    guard let socket = RelaySocket.listen() else { throw TestServer.RelayErrorOfTest.noSocket }
    (listener, port) = socket
    let listener = socket.0
    _ = fcntl(listener, F_SETFL, 0)
    Blocking.start { [self] in
      while true {
        let descriptor = accept(listener, nil, nil)
        guard descriptor >= 0 else {
          // Here and not by who ends it: the number may be another's before this thread asks again.
          close(listener)
          return
        }
        let client = TestSocket(descriptor)
        Blocking.start { [self] in pass(client, name, to: server) }
      }
    }
  }

  /// How many have been reset.
  var resets: Int { reset.withLock { $0 } }

  /// Ends listening.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func pass(_ client: TestSocket, _ name: String, to port: UInt16) {
    let header = client.receive(5)
    guard header.count == 5 else { return }
    let hello = client.receive(Int(header[3]) << 8 | Int(header[4]))
    guard !String(decoding: hello, as: UTF8.self).contains(name) else {
      reset.withLock { $0 += 1 }
      var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        client.descriptor, SOL_SOCKET, SO_LINGER, &linger,
        socklen_t(MemoryLayout<Glibc.linger>.size))
      return
    }
    guard let server = TestSocket(port: port) else { return }
    server.send(header + hello)
    while NameFilter.move(client, server) {}
  }

  /// Hands on what either says; false when one has ended.
  private static func move(_ one: TestSocket, _ other: TestSocket) -> Bool {
    var polls = [one, other].map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    guard poll(&polls, 2, 300_000) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    for (index, (from, to)) in [(one, other), (other, one)].enumerated()
    where polls[index].revents != 0 {
      let count = buffer.withUnsafeMutableBytes {
        recv(from.descriptor, $0.baseAddress, $0.count, 0)
      }
      guard count > 0 else { return false }
      to.send(Array(buffer[..<count]))
    }
    return true
  }
}
