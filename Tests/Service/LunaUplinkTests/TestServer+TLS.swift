import Glibc
import LunaTesting
import TLSStream

extension TestServer {
  /// Speaks TLS with so many clients, one after the other, and hands on what they say to a server of loopback that does
  /// not, and what it says to them.
  func front(_ count: Int, _ files: TestAuthority.Certified, to port: UInt16) {
    serve(count) { client in
      guard let server = TestSocket(port: port) else { return }
      let identity = TLSIdentity(certificateFile: files.certificate, keyFile: files.key)
      try? TestServer.relay(client, identity, server)
    }
  }

  private static func relay(
    _ client: TestSocket, _ identity: TLSIdentity, _ server: TestSocket
  ) throws(TLSError) {
    _ = fcntl(client.descriptor, F_SETFL, O_NONBLOCK)
    let stream = try TLSStream(over: client.descriptor, .server(identity))
    var isOver = false
    while !isOver || stream.isSending {
      let events = stream.events(reads: true)
      var polls = [
        pollfd(fd: client.descriptor, events: events, revents: 0),
        pollfd(
          fd: stream.isOpen && !isOver ? server.descriptor : -1, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polls, 2, 300_000) > 0 else { return }
      try stream.proceed()
      guard try forward(stream, to: server) else { return }
      guard polls[1].revents != 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 4096)
      let count = bytes.withUnsafeMutableBytes {
        recv(server.descriptor, $0.baseAddress, $0.count, 0)
      }
      if count > 0 {
        try stream.send(Array(bytes[..<count]))
      } else {
        isOver = true
        stream.leave()
      }
    }
  }

  /// - Returns: false when the client has taken leave.
  private static func forward(_ stream: TLSStream, to server: TestSocket) throws(TLSError) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      switch try stream.receive(buffer.count, into: &buffer) {
      case .bytes(let count): server.send(Array(buffer[..<count]))
      case .nothing: return true
      case .end: return false
      }
    }
  }
}
