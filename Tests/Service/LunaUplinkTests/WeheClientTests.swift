import Diagnosis
import LunaTesting
import LunaUplink
import Testing
import UplinkProtocol

/// The client against a scripted server of Wehe's on loopback.
@Suite(.timeLimit(.minutes(10))) struct WeheClientTests {
  private static let question = "GET /WHATSMYIPMAN HTTP/1.1\r\nHost: x\r\n\r\n"
  private static let request = "hello"
  private static let answer = 1_000_000

  private let side: TestServer
  private let data: TestServer
  /// What the client says over the side channel.
  private let said = Watched<[String]>([])

  init() throws {
    side = try TestServer()
    data = try TestServer()
  }

  private func client() async throws -> WeheClient {
    var client = WeheClient(try await ServerAddress.find("127.0.0.1"))
    client.sideChannelPort = side.port
    return client
  }

  private func digits(_ port: UInt16) -> String {
    let text = String(port)
    return String(repeating: "0", count: 5 - text.utf8.count) + text
  }

  private func plan(_ recording: String) throws -> ReplayPlan {
    let plan = ReplayPlan(
      user: "abcdefghi1", recording: try Recording(Array(recording.utf8)), isControl: false,
      extra: "0", history: 3, isLast: false)
    return try #require(plan)
  }

  private func tcp() throws -> ReplayPlan {
    let pair = "127.000.000.001.40000-127.000.000.001.\(digits(data.port))"
    return try plan(
      #"[[{"c_s_pair":"\#(pair)","timestamp":0,"payload":"68656c6c6f","#
        + #""response_len":\#(Self.answer),"response_hash":null}],[],["\#(pair)"],"Luna-11252026"]"#
    )
  }

  private func udp(_ port: UInt16) throws -> ReplayPlan {
    let pair = "127.000.000.001.40000-127.000.000.001.\(digits(port))"
    return try plan(
      #"[[{"c_s_pair":"\#(pair)","timestamp":0,"payload":"68656c6c6f","end":true}],"#
        + #"["40000"],[],"Luna-11252026"]"#)
  }

  private func map(_ transport: String, _ port: UInt16) -> String {
    #"{"\#(transport)":{"127.000.000.001":{"\#(digits(port))":["",\#(port)]}}}"#
  }

  /// Tells clients their addresses, and answers requests by a script.
  private func serveData(_ count: Int, _ script: @escaping @Sendable (TestSocket) -> Void) {
    data.serve(count) { socket in
      let head = String(decoding: socket.receive(5), as: UTF8.self)
      if head == Self.request {
        script(socket)
      } else {
        _ = socket.receive(Self.question.utf8.count - 5)
        socket.send("HTTP/1.1 200 OK\r\n\r\n127.0.0.1")
      }
    }
  }

  private func hear(_ socket: TestSocket, _ count: Int = 1) {
    for _ in 0..<count {
      let message = socket.message()
      said.withLock { $0.append(message) }
    }
  }

  private func failure(_ record: ReplayRecord?) -> ReplayError.Kind? {
    guard case .failed(let error)? = record?.outcome else { return nil }
    return error.kind
  }

  /// The side channel of a replay over TCP.
  private func serveSideChannel() {
    let map = map("tcp", data.port)
    side.serve(1) { socket in
      hear(socket, 2)
      socket.say("1;127.0.0.1;20")
      hear(socket, 2)
      socket.say(map)
      socket.say("0")
      hear(socket, 2)
      socket.say("OK")
      hear(socket)
      socket.say("OK")
    }
  }

  @Test func replaysOverTCP() async throws {
    serveSideChannel()
    serveData(2) { $0.send([UInt8](repeating: 7, count: Self.answer)) }
    let record = try await client().replay(tcp())
    #expect(record.outcome == .finished(isTruncated: false))
    #expect(record.reads.count == Self.answer && record.seconds >= record.reads.seconds)
    #expect(try #require(record.leastRoundTrip) < 1)
    #expect(record.ownAddress == "127.0.0.1")
    let samples = try #require(record.samples)
    #expect(
      said.value == [
        "abcdefghi1;0;Luna-11252026;0;3;False;127.0.0.1;1.0", "[-1, null, null]", "NoIperf",
        "NoMobileStats", "DONE;\(record.seconds)", "\(samples.json)", "Result;No",
      ])
  }

  /// Serves a replay over UDP, of three datagrams from the server.
  private func serveDatagrams(_ datagrams: TestDatagrams) {
    let map = map("udp", datagrams.port)
    side.serve(1) { socket in
      hear(socket, 2)
      socket.say("1;127.0.0.1;20")
      hear(socket, 2)
      socket.say(map)
      socket.say("1")
      let received = datagrams.answer(3, with: [UInt8](repeating: 7, count: 500))
      said.withLock { $0.append(String(decoding: received, as: UTF8.self)) }
      socket.say("STARTED;40000")
      socket.say("DONE;40000")
      hear(socket, 2)
      socket.say("OK")
      hear(socket)
      socket.say("OK")
    }
  }

  @Test func replaysOverUDP() async throws {
    let datagrams = try TestDatagrams()
    serveDatagrams(datagrams)
    let record = try await client().replay(udp(datagrams.port))
    #expect(record.outcome == .finished(isTruncated: false) && record.reads.count == 1500)
    #expect(said.value[4] == Self.request && said.value[5].hasPrefix("DONE;"))
  }

  /// Nobody else keeps a server from sending more than was allowed.
  @Test func takesNoMoreThanItMay() async throws {
    let datagrams = try TestDatagrams()
    serveDatagrams(datagrams)
    var client = try await client()
    client.byteLimit = 1_000
    let record = await client.replay(try udp(datagrams.port))
    #expect(record.outcome == .finished(isTruncated: true) && record.reads.count == 1_000)
  }

  /// A server closes in each state: after so many of its messages.
  @Test(arguments: [
    (0, ReplayError.Kind.lost), (1, .lost), (2, .unknownRecording), (3, .lost), (4, .lost),
  ])
  func saysWhereAServerIsKilled(_ count: Int, _ kind: ReplayError.Kind) async throws {
    let messages = ["1;127.0.0.1;20", map("tcp", data.port), "0", "OK"]
    side.serve(1) { socket in
      for (number, message) in messages.enumerated() {
        // All that the client has said is read: so the end is no reset.
        if [0, 1, 3].contains(number) { hear(socket, 2) }
        guard number < count else { return }
        socket.say(message)
      }
      hear(socket)
    }
    // Before its third message there is no data.
    serveData(count < 3 ? 1 : 2) { $0.send([UInt8](repeating: 7, count: Self.answer)) }
    let record = try await client().replay(tcp())
    #expect(failure(record) == kind)
  }

  @Test func closesWhereTheAddressIsBusy() async throws {
    let ends = Watched(0)
    side.serve(5) { socket in
      hear(socket, 2)
      socket.say("0;2;100")
      // Silence, with the connection open.
      if socket.receive(1).isEmpty { ends.withLock { $0 += 1 } }
    }
    serveData(5) { _ in }
    let waits = Watched(0)
    var client = try await client()
    client.progress = { step in if step == .queued { waits.withLock { $0 += 1 } } }
    let plan = try tcp()
    let records = await client.test(isOriginalFirst: true, clock: HurriedClock()) { _, _ in plan }
    #expect(failure(records.original) == .addressBusy && records.control == nil)
    // Who waits is told why.
    #expect(waits.value == 4)
    try await ends.until { $0 == 5 }
  }

  @Test func seesThatItsAddressesDiffer() async throws {
    let map = map("tcp", data.port)
    side.serve(1) { socket in
      hear(socket, 2)
      socket.say("1;127.0.0.1;20")
      hear(socket, 2)
      socket.say(map)
      socket.say("0")
      hear(socket)
    }
    serveData(2) { $0.send("SuspiciousClientIP!") }
    let record = try await client().replay(tcp())
    #expect(failure(record) == .ipFlip)
    try await said.until { $0.last == "ipFlip" }
  }

  @Test func isCancelledInOrder() async throws {
    side.serve(1) { socket in hear(socket, 3) }
    serveData(1) { _ in }
    let client = try await client()
    let plan = try tcp()
    let replay = Task { await client.replay(plan) }
    try await said.until { $0.count == 2 }
    replay.cancel()
    let record = await replay.value
    #expect(failure(record) == .cancelled)
    try await said.until { $0.count == 3 }
    #expect(said.value.last == "timeout")
  }

  @Test func saysWhenNobodyIsThere() async throws {
    let closed = ClosedPort()
    var client = try await client()
    client.sideChannelPort = closed.number
    serveData(1) { _ in }
    let record = await client.replay(try tcp())
    guard case .failed(let error) = record.outcome else {
      Issue.record("a replay")
      return
    }
    #expect(error.kind == .connect && error.reason.contains("Connection refused"))
    withExtendedLifetime(closed) {}
  }

  private static let names = "DNS:wehe.example"

  private func client(trusting file: String, at port: UInt16) async throws -> WeheClient {
    var client = WeheClient(try await ServerAddress.find("127.0.0.1"), authorities: file)
    client.sideChannelPort = port
    return client
  }

  /// Only the chain of the certificate is checked: its name is another one than the server's.
  @Test func speaksTLSBesideTheData() async throws {
    let authority = try TestAuthority()
    let front = try TestServer()
    front.front(1, try authority.certify(Self.names), to: side.port)
    serveSideChannel()
    serveData(2) { $0.send([UInt8](repeating: 7, count: Self.answer)) }
    let client = try await client(trusting: authority.certificate, at: front.port)
    let record = await client.replay(try tcp())
    #expect(record.outcome == .finished(isTruncated: false))
    #expect(record.reads.count == Self.answer)
    #expect(said.value.count == 7 && said.value.last == "Result;No")
    #expect(try #require(record.leastRoundTrip) < 1)
    withExtendedLifetime(authority) {}
  }

  @Test func saysNothingToWhomItDoesNotTrust() async throws {
    let front = try TestServer()
    front.front(1, try TestAuthority().certify(Self.names), to: side.port)
    side.serve(1) { socket in hear(socket) }
    serveData(1) { _ in }
    let other = try TestAuthority()
    let client = try await client(trusting: other.certificate, at: front.port)
    let record = await client.replay(try tcp())
    guard case .failed(let error) = record.outcome else {
      Issue.record("a replay")
      return
    }
    #expect(error.kind == .connect && error.remedy != nil)
    #expect(error.reason.contains("not trusted"))
    try await said.until { $0.count == 1 }
    #expect(said.value == [""])
    withExtendedLifetime(other) {}
  }

  @Test func saysWhenItsAuthorityIsNoFile() async throws {
    serveData(1) { _ in }
    let client = try await client(trusting: TestAuthority().noCertificate, at: side.port)
    let record = await client.replay(try tcp())
    #expect(failure(record) == .authorities)
  }

  @Test func saysWhenNoTLSIsSpoken() async throws {
    side.serve(1) { socket in
      socket.send("HTTP/1.1 400 Bad Request\r\n\r\n")
      // Until the client is gone.
      _ = socket.receive(1 << 20)
    }
    serveData(1) { _ in }
    let authority = try TestAuthority()
    let client = try await client(trusting: authority.certificate, at: side.port)
    let record = await client.replay(try tcp())
    guard case .failed(let error) = record.outcome else {
      Issue.record("a replay")
      return
    }
    #expect(error.kind == .connect && error.reason.contains("no TLS"))
    withExtendedLifetime(authority) {}
  }

  @Test func isCancelledInAHandshake() async throws {
    side.serve(1) { socket in
      let hello = socket.receive(1)
      said.withLock { $0.append("\(hello.count)") }
      _ = socket.receive(1 << 20)
    }
    serveData(1) { _ in }
    let authority = try TestAuthority()
    let client = try await client(trusting: authority.certificate, at: side.port)
    let plan = try tcp()
    let replay = Task { await client.replay(plan) }
    try await said.until { $0 == ["1"] }
    replay.cancel()
    let record = await replay.value
    #expect(failure(record) == .cancelled)
    withExtendedLifetime(authority) {}
  }

  @Test func findsNoServerWithoutAName() async {
    let error = await #expect(throws: ReplayError.self) {
      // No name is so long, so nobody is asked for it.
      try await ServerAddress.find(String(repeating: "a", count: 300))
    }
    #expect(error?.kind == .connect && error?.diagnosis.remedy != nil)
  }
}
