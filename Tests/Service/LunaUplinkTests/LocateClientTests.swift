import Diagnosis
import Dispatch
import Glibc
import LunaTesting
import TLSStream
import Testing

@testable import LunaUplink
@testable import UplinkProtocol

/// The client of a locate service, against a scripted one and the machines that it names.
@Suite(.timeLimit(.minutes(10))) struct LocateClientTests {
  private let authority: TestAuthority
  /// What is before the machine, and speaks TLS.
  private let front: TestServer
  private let machine: TestServer
  /// What the client says to the machine.
  private let said = Watched<[String]>([])

  init() throws {
    authority = try TestAuthority()
    front = try TestServer()
    machine = try TestServer()
  }

  private func result(_ name: String, _ port: UInt16) -> String {
    #"{"machine":"\#(name)","urls":{"wss://:4443/v0/envelope/access":"#
      + #""wss://127.0.0.1:\#(port)/v0/envelope/access?access_token=a.b"}}"#
  }

  /// A service that names these.
  private func service(_ results: [String], status: String = "200 OK") -> ScriptedServer {
    let body = #"{"results":[\#(results.joined(separator: ","))]}"#
    return ScriptedServer([
      "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    ])
  }

  private func client(_ service: ScriptedServer) -> LocateClient {
    var client = LocateClient(service.url + "/v2/nearest")
    client.authorities = authority.certificate
    // Machines under load are slow; what is to be too late here never comes.
    client.openLimit = .seconds(200)
    return client
  }

  /// Answers at the machine, over TLS.
  private func serve(_ count: Int = 1, _ script: @escaping @Sendable (TestSocket) -> Void) throws {
    front.front(count, try authority.certify("IP:127.0.0.1"), to: machine.port)
    machine.serve(count, script)
  }

  private func say(_ text: String) { said.withLock { $0.append(text) } }

  private func kind(_ client: LocateClient) async -> LocateError.Kind? {
    do throws(LocateError) {
      _ = try await client.locate()
      return nil
    } catch {
      #expect(error.remedy != nil)
      return error.kind
    }
  }

  @Test func keepsTheAccessOpenToTheEnd() async throws {
    try serve { socket in
      let request = socket.webSocketRequest()
      say(String(request.prefix { $0 != "\r\n" }))
      try? socket.openWebSocket(request)
      // A ping, whose answer is masked, and then the close.
      socket.send([0x89, 0x01, 0x78])
      let pong = socket.receive(7)
      let isPong = pong.count == 7 && pong[0] == 0x8A && pong[6] == 0x78 ^ pong[2]
      say(isPong ? "pong" : "\(pong)")
      let close = socket.receive(8)
      let isClose = close.count == 8 && close[0] == 0x88 && close[1] == 0x82
      say(isClose ? "close" : "\(close)")
      say("end \(socket.receive(1).count)")
    }
    let service = service([result("mlab1.example", front.port)])
    let channel = try await client(service).locate()
    #expect(channel.machine.server == "wehe-mlab1.example")
    #expect(service.requests.first?.hasPrefix("GET /v2/nearest HTTP/1.1\r\n") == true)
    let value = try await channel.hold {
      try await said.until { $0.count == 2 }
      return 7
    }
    #expect(value == 7)
    // It stands after that still.
    #expect(said.value == ["GET /v0/envelope/access?access_token=a.b HTTP/1.1", "pong"])
    channel.close()
    try await said.until { $0.count == 4 }
    #expect(said.value[2...] == ["close", "end 0"])
  }

  @Test func saysWhenTheAccessIsLost() async throws {
    let held = DispatchSemaphore(value: 0)
    try serve { socket in
      try? socket.openWebSocket(socket.webSocketRequest())
      // It closes when the other side is in the middle of it.
      held.wait()
    }
    let channel = try await client(service([result("mlab1.example", front.port)])).locate()
    // It ends when the task is cancelled; nobody feeds it.
    let (endless, feeder) = AsyncStream<Void>.makeStream()
    let isCancelled = Watched(false)
    let error = await #expect(throws: LocateError.self) {
      try await channel.hold {
        held.signal()
        for await _ in endless {}
        isCancelled.withLock { $0 = true }
        try Task.checkCancellation()
      }
    }
    #expect(error?.kind == .accessLost && isCancelled.value)
    withExtendedLifetime(feeder) {}
  }

  /// What is said over the access is little: a service that talks without end is left.
  @Test func leavesWhoTalksWithoutEnd() async throws {
    let held = DispatchSemaphore(value: 0)
    try serve { socket in
      try? socket.openWebSocket(socket.webSocketRequest())
      // Pongs, which nobody answers; and then it stays.
      let pongs = (0..<1_024).flatMap { _ in [0x8A, 0x00] as [UInt8] }
      for _ in 0..<64 { socket.send(pongs) }
      held.wait()
    }
    let channel = try await client(service([result("mlab1.example", front.port)])).locate()
    let (endless, feeder) = AsyncStream<Void>.makeStream()
    let error = await #expect(throws: LocateError.self) {
      try await channel.hold { for await _ in endless {} }
    }
    #expect(error?.kind == .accessLost)
    held.signal()
    withExtendedLifetime(feeder) {}
  }

  /// Who asks without end whether somebody is there, and reads no answer, has none kept in memory.
  @Test func keepsNoAnswersForWhoReadsNone() async throws {
    let files = try authority.certify("IP:127.0.0.1")
    front.serve(1) { client in
      let identity = TLSIdentity(certificateFile: files.certificate, keyFile: files.key)
      // That it cannot say all is what is wanted.
      if (try? LocateClientTests.ask(client, identity)) != nil { say("all") }
    }
    let channel = try await client(service([result("mlab1.example", front.port)])).locate()
    let (endless, feeder) = AsyncStream<Void>.makeStream()
    let error = await #expect(throws: LocateError.self) {
      try await channel.hold { for await _ in endless {} }
    }
    #expect(error?.kind == .accessLost && said.value.isEmpty)
    withExtendedLifetime(feeder) {}
  }

  /// Opens a WebSocket over TLS, and sends more pings than any socket has room for their answers, of which it reads none.
  private static func ask(_ client: TestSocket, _ identity: TLSIdentity) throws {
    _ = fcntl(client.descriptor, F_SETFL, O_NONBLOCK)
    let stream = try TLSStream(over: client.descriptor, .server(identity))
    func wait(reads: Bool) throws {
      var query = pollfd(
        fd: client.descriptor, events: stream.events(reads: reads), revents: 0)
      _ = poll(&query, 1, 300_000)
      try stream.proceed()
    }
    var request: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while !request.suffix(4).elementsEqual("\r\n\r\n".utf8) {
      switch try stream.receive(buffer.count, into: &buffer) {
      case .bytes(let count): request += buffer[..<count]
      case .nothing: try wait(reads: true)
      case .end: return
      }
    }
    let answer = try TestSocket.answer(toOpening: String(decoding: request, as: UTF8.self))
    try stream.send(Array(answer.utf8))
    let ping: [UInt8] = [0x89, 125] + [UInt8](repeating: 0x78, count: 125)
    let pings = (0..<500).flatMap { _ in ping }
    for _ in 0..<500 {
      try stream.send(pings)
      while stream.isSending { try wait(reads: false) }
    }
  }

  /// One is not there, one answers with a page, and one opens.
  @Test func goesOnToTheNextOne() async throws {
    let closed = ClosedPort()
    try serve(2) { socket in
      let request = socket.webSocketRequest()
      let isFirst = said.value.isEmpty
      say("asked")
      if isFirst {
        socket.send("HTTP/1.1 403 Forbidden\r\nContent-Type: text/html\r\n\r\n<html>")
      } else {
        try? socket.openWebSocket(request)
        _ = socket.receive(100)
      }
    }
    let results = [
      result("mlab1.example", closed.number), result("mlab2.example", front.port),
      result("mlab3.example", front.port),
    ]
    let channel = try await client(service(results)).locate()
    #expect(channel.machine.name == "mlab3.example" && said.value == ["asked", "asked"])
    withExtendedLifetime(closed) {}
  }

  @Test func opensNoAccessToAStranger() async throws {
    let other = try TestAuthority()
    front.front(1, try other.certify("IP:127.0.0.1"), to: machine.port)
    machine.serve(1) { socket in say(socket.webSocketRequest()) }
    let client = client(service([result("mlab1.example", front.port)]))
    #expect(await kind(client) == .accessRefused)
    try await said.until { $0.count == 1 }
    #expect(said.value == [""])
  }

  @Test func opensNoAccessToAnotherName() async throws {
    front.front(1, try authority.certify("DNS:other.example"), to: machine.port)
    machine.serve(1) { socket in say(socket.webSocketRequest()) }
    let client = client(service([result("mlab1.example", front.port)]))
    #expect(await kind(client) == .accessRefused)
    try await said.until { $0.count == 1 }
    #expect(said.value == [""])
  }

  /// A machine that says nothing does not keep the search.
  @Test func waitsOnlySoLong() async throws {
    let silent = PatientListener()
    var client = client(service([result("mlab1.example", silent.port)]))
    client.openLimit = .milliseconds(1)
    #expect(await kind(client) == .accessRefused)
    withExtendedLifetime(silent) {}
  }

  @Test func saysWhatTheServiceDoes() async throws {
    #expect(await kind(client(service([], status: "404 Not Found"))) == .unanswered)
    #expect(await kind(client(service([]))) == .malformed)
    #expect(await kind(client(ScriptedServer([""]))) == .unanswered)
  }
}
