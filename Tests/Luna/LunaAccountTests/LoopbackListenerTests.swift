import EventLoop
import Glibc
import Testing

@testable import LunaAccount

@Suite("The browser that comes back", .timeLimit(.minutes(10)))
struct LoopbackListenerTests {
  @Test(
    "Only the redirect path with a state counts",
    arguments: [
      ("GET /callback?code=a&state=b HTTP/1.1\r\n\r\n", "code=a&state=b"),
      ("GET /callback?state=b&error=x HTTP/1.0\r\nA: b\r\n\r\n", "state=b&error=x"),
    ])
  func redirects(_ text: String, _ query: String) {
    #expect(LoopbackRequest(Array(text.utf8), path: "/callback") == .redirect(query))
  }

  @Test(
    "Everything else does not",
    arguments: [
      "GET /favicon.ico HTTP/1.1\r\n\r\n", "GET /callback HTTP/1.1\r\n\r\n",
      "GET /callback?code=a HTTP/1.1\r\n\r\n", "POST /callback?code=a&state=b HTTP/1.1\r\n\r\n",
      "GET /callback/x?state=b HTTP/1.1\r\n\r\n", "GET /callback?state=b\r\n\r\n", "\r\n\r\n",
      "GET http://127.0.0.1/callback?state=b HTTP/1.1\r\n\r\n",
    ])
  func others(_ text: String) {
    #expect(LoopbackRequest(Array(text.utf8), path: "/callback") == .other)
  }

  @Test("A head that is not complete, and one that never is")
  func incomplete() {
    #expect(LoopbackRequest(Array("GET /callback?state=b".utf8), path: "/callback") == .incomplete)
    let endless = [UInt8](repeating: 0x41, count: LoopbackRequest.limit)
    #expect(LoopbackRequest(endless, path: "/callback") == .other)
  }

  private static func ask(_ port: UInt16, _ text: String) -> String {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return "" }
    var text = text
    text.withUTF8 { _ = send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = recv(socket, &buffer, buffer.count, 0)
      guard count > 0 else { return String(decoding: answer, as: UTF8.self) }
      answer += buffer[..<count]
    }
  }

  @Test("Others get 404, and a connection that says nothing holds nobody up")
  func serves() async throws {
    let listener = try LoopbackListener(port: 0)
    let port = listener.port
    async let query = Blocking.run { () throws(AccountError) in
      try listener.wait(path: "/cb", patience: .seconds(600))
    }
    let silent = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(silent) }
    let other = await Blocking.run { Self.ask(port, "GET /x HTTP/1.1\r\n\r\n") }
    #expect(other.hasPrefix("HTTP/1.1 404 "))
    let answer = await Blocking.run {
      Self.ask(port, "GET /cb?code=a&state=s HTTP/1.1\r\n\r\n")
    }
    #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
    #expect(try await query == "code=a&state=s")
  }

  @Test("Too many others end it, and so does who gives up")
  func ends() async throws {
    let listener = try LoopbackListener(port: 0)
    let port = listener.port
    let query = Task {
      try await Blocking.run { () throws(AccountError) in
        try listener.wait(path: "/cb", patience: .seconds(600))
      }
    }
    for _ in 0..<17 { _ = await Blocking.run { Self.ask(port, "GET /x HTTP/1.1\r\n\r\n") } }
    await #expect { try await query.value } throws: { ($0 as? AccountError)?.code == .denied }
    let second = try LoopbackListener(port: 0)
    let given = Task {
      try await Blocking.run { () throws(AccountError) in
        try second.wait(path: "/cb", patience: .seconds(600))
      }
    }
    second.cancel()
    await #expect { try await given.value } throws: { ($0 as? AccountError)?.code == .cancelled }
    #expect(throws: AccountError.self) {
      try LoopbackListener(port: 0).wait(path: "/", patience: .zero)
    }
  }
}
