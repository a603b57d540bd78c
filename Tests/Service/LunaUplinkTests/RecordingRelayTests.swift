import Diagnosis
import EventLoop
import LunaTesting
import LunaUplink
import Synchronization
import Testing
import UplinkProtocol

@Suite(.timeLimit(.minutes(10))) struct RecordingRelayTests {
  private static let allowed = "HTTP/1.1 200 OK\r\n\r\n"
  private let server: TestServer
  private let relay: RecordingRelay
  private let name: ReplayName

  init() throws {
    server = try TestServer()
    relay = try RecordingRelay(to: #require(server.target))
    name = try #require(ReplayName("Luna-11252026"))
  }

  /// Does something at the relay as a client, on a thread that may wait.
  private func record<Value: Sendable>(
    _ client: @escaping @Sendable (TestSocket) -> Value
  ) async throws -> (value: Value, traffic: RecordedTraffic) {
    let port = relay.port
    return try await relay.record {
      try await Blocking.run { client(try #require(TestSocket(port: port))) }
    }
  }

  private var head: String { "CONNECT 127.0.0.1:\(server.port) HTTP/1.1\r\nHost: x\r\n\r\n" }

  @Test func recordsBothWays() async throws {
    server.serve(1) { socket in
      socket.send(socket.receive(5).map { ~$0 } + [1])
      _ = socket.receive(1)
    }
    let head = head
    let (answers, traffic) = try await record { client in
      client.send(head)
      let allowed = client.receive(Self.allowed.utf8.count)
      client.send("hello")
      let answer = client.receive(6)
      client.endSending()
      return [allowed, answer, client.receive(1)]
    }
    #expect(answers[0] == Array(Self.allowed.utf8) && answers[2].isEmpty)
    #expect(answers[1] == Array("hello".utf8).map { ~$0 } + [1])
    // What was said to the relay itself is no traffic.
    #expect(traffic.count == 11)
    let (client, other) = try #require(try traffic.recordings(named: name))
    guard case .tcp(let requests) = client.packets else {
      Issue.record("not TCP")
      return
    }
    #expect(requests.flatMap(\.payload) == Array("hello".utf8) && client.answeredBytes == 6)
    #expect(client.pairs[0].server.port == server.port)
    #expect(client.pairs[0].server.addressText == "127.000.000.001")
    try other.check(against: client)
  }

  @Test func carriesMoreThanSocketsHold() async throws {
    let count = 3 << 20
    server.serve(1) { socket in
      // Nothing is read until all was written: whoever reads both ends in turn waits here.
      socket.send([UInt8](repeating: 9, count: count))
      _ = socket.receive(count)
    }
    let head = head
    let (received, traffic) = try await record { client in
      client.send(head)
      _ = client.receive(Self.allowed.utf8.count)
      let received = client.receive(count).count
      client.send([UInt8](repeating: 7, count: count))
      client.endSending()
      return received + client.receive(1).count
    }
    #expect(received == count && traffic.count == 2 * count)
  }

  @Test func endsWhenItIsTooMuch() async throws {
    server.serve(1) { socket in
      while !socket.receive(1 << 20).isEmpty {}
    }
    let head = head
    let error = await #expect(throws: RelayError.self) {
      try await record { client in
        client.send(head)
        _ = client.receive(Self.allowed.utf8.count)
        // The relay closes the connection in the middle.
        for _ in 0..<20 { client.send([UInt8](repeating: 7, count: 1 << 20)) }
      }
    }
    #expect(error?.kind == .full)
  }

  @Test(arguments: [
    "CONNECT 127.0.0.1:1 HTTP/1.1\r\n\r\n", "CONNECT example.com:PORT HTTP/1.1\r\n\r\n",
    "GET http://127.0.0.1:PORT/ HTTP/1.1\r\n\r\n", "\r\n\r\n",
    "CONNECT 127.0.0.1:PORT\r\n\r\n", "CONNECT 127.0.0.1:99999999999 HTTP/1.1\r\n\r\n",
  ])
  func leadsNowhereElse(_ text: String) async throws {
    let text = text.replacing("PORT", with: "\(server.port)")
    let answer = Reply()
    let error = await #expect(throws: RelayError.self) {
      try await record { client in
        client.send(text)
        answer.bytes.withLock { $0 = client.receive(100) }
      }
    }
    #expect(error?.kind == .silent && error?.diagnosis.remedy != nil)
    let reply = answer.bytes.withLock { String(decoding: $0, as: UTF8.self) }
    #expect(reply.hasPrefix("HTTP/1.1 403 Forbidden\r\n"))
  }

  @Test func endsWithWhoSaysTooMuch() async throws {
    let error = await #expect(throws: RelayError.self) {
      try await record { client in
        client.send([UInt8](repeating: 0x41, count: 9000))
        #expect(client.receive(1).isEmpty)
      }
    }
    #expect(error?.kind == .silent)
  }

  @Test func saysWhenTheServerIsGone() async throws {
    let closed = ClosedPort()
    let target = try #require(RelayTarget(https: "https://127.0.0.1:\(closed.number)"))
    let relay = try RecordingRelay(to: target)
    let answer = Reply()
    await #expect(throws: RelayError.self) {
      try await relay.record {
        try await Blocking.run {
          let client = try #require(TestSocket(port: relay.port))
          client.send("CONNECT 127.0.0.1:\(target.port) HTTP/1.1\r\n\r\n")
          answer.bytes.withLock { $0 = client.receive(12) }
        }
      }
    }
    #expect(answer.bytes.withLock { String(decoding: $0, as: UTF8.self) } == "HTTP/1.1 502")
    withExtendedLifetime(closed) {}
  }

  @Test func throwsWhatTheWorkThrows() async {
    await #expect(throws: CancellationError.self) {
      try await relay.record { throw CancellationError() }
    }
  }
}
