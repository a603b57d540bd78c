import HTTPServer
import LunaTesting
import TLSStream
import Testing
import UplinkProtocol

@testable import LunaUplink

/// A service of ours on loopback.
@Suite(.ownThread, .timeLimit(.minutes(10))) struct UplinkServiceTests {
  private static let hello = greeting("luna-upload", "up")
  private static let commands = greeting("luna-command", "down")

  private static func greeting(_ profile: String, _ direction: String) -> SessionRequest {
    .hello(
      version: 1, profile: profile, direction: direction, pairs: 16, slotBytes: 100_000,
      slotSeconds: 1.5)
  }

  private let listener: HTTPListener
  private let port: UInt16

  init() throws {
    let service = UplinkService()
    var limits = HTTPLimits()
    limits.bodyBytes = 1_000
    service.adjust(&limits)
    listener = HTTPListener(limits: limits) { request in
      await service.answer(request) {
        request.head.first("authorization") == "Bearer known" ? "someone" : nil
      } ?? HTTPResponse(200, "text/plain", Array("else".utf8))
    }
    port = try listener.start(on: ListenAddress(host: "127.0.0.1", port: 0)).port
  }

  /// The service over TLS, where everybody is someone; the plain one is not needed then.
  ///
  /// - Parameter authority: vouches for it.
  private func startEncrypted(
    _ service: UplinkService, _ authority: TestAuthority, _ http: HTTPLimits = HTTPLimits()
  ) async throws -> (listener: HTTPListener, port: UInt16) {
    #expect(await self.listener.stop(within: .seconds(300)))
    let certified = try authority.certify("IP:127.0.0.1")
    var limits = http
    service.adjust(&limits)
    let listener = HTTPListener(limits: limits) { request in
      await service.answer(request) { "someone" } ?? HTTPResponse(404, nil, [])
    }
    let address = try listener.start(
      on: ListenAddress(host: "127.0.0.1", port: 0), threads: 2,
      tls: TLSFiles(certificateFile: certified.certificate, keyFile: certified.key))
    return (listener, address.port)
  }

  private func granted() throws -> ServiceClient {
    let client = try ServiceClient(port: port)
    client.say(Self.hello)
    guard case .granted(_, "127.0.0.0/24", 200_000_000)? = try client.next() else {
      Issue.record("not granted: \(client.head)")
      return client
    }
    return client
  }

  private func token(_ client: ServiceClient, _ order: SlotOrder) throws -> String {
    client.say(.slot(order))
    guard case .ready(order.number, let token)? = try client.next() else {
      Issue.record("not ready")
      return ""
    }
    return token
  }

  /// What is answered, to its end.
  private func ask(_ request: String, body: [UInt8] = [], answers: Int = 1 << 20) throws -> String {
    let socket = try #require(TestSocket(port: port))
    socket.send("\(request) HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n")
    if !body.isEmpty { socket.send(body) }
    return String(decoding: socket.receive(answers), as: UTF8.self)
  }

  @Test(
    arguments: [
      ("luna.example", 443), ("luna.example:8443", 8_443), ("192.0.2.1:1", 1), ("[::1]", 443),
      ("[2001:db8::1]:8443", 8_443), ("x:", nil), ("x:0", nil), ("x:+1", nil), ("x:65536", nil),
    ] as [(String, UInt16?)])
  func knowsAtWhichPortItIsAsked(_ host: String, _ port: UInt16?) {
    #expect(SessionLine.port(of: host) == port)
  }

  @Test func countsWhatComes() async throws {
    let client = try granted()
    let token = try token(client, SlotOrder(1, .original, .up, bytes: 100_000))
    let answer = try ask(
      "POST /v1/uplink/slot/\(token)", body: [UInt8](repeating: 7, count: 100_000))
    #expect(answer.hasPrefix("HTTP/1.1 204 "))
    client.say(.sent(1))
    guard case .received(1, let receipt)? = try client.next() else {
      Issue.record("no receipt")
      return
    }
    #expect(receipt.bytes == 100_000)
    // The kernel knows of each connection how long its handshake took.
    #expect((receipt.leastRoundTrip ?? 0) > 0)
    client.say(.bye)
    #expect(try client.next() == .closed)
    #expect(try client.next() == nil)
    #expect(await listener.stop(within: .seconds(300)))
  }

  @Test func sendsWhatIsAskedFor() async throws {
    let client = try granted()
    let token = try token(client, SlotOrder(1, .control, .down, bytes: 50_000))
    let socket = try #require(TestSocket(port: port))
    socket.send("GET /v1/uplink/slot/\(token) HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(socket.webSocketRequest().contains("Content-Length: 50000\r\n"))
    let body = socket.receive(60_000)
    #expect(body.count == 50_000 && Set(body).count == 256)
    client.say(.sent(1))
    guard case .received(1, let receipt)? = try client.next() else {
      Issue.record("no receipt")
      return
    }
    #expect(receipt.bytes == 50_000)
    #expect((receipt.leastRoundTrip ?? 0) > 0)
    client.say(.bye)
    #expect(try client.next() == .closed)
    #expect(await listener.stop(within: .seconds(300)))
  }

  /// Each has its answer, on the connection that came with the token; whoever has stolen it has none.
  @Test func commandsAreAnsweredOneAfterTheOther() async throws {
    let client = try ServiceClient(port: port)
    client.say(Self.commands)
    guard case .granted? = try client.next() else {
      Issue.record("not granted: \(client.head)")
      return
    }
    let token = try token(
      client, SlotOrder(1, .original, .down, bytes: 3 * CommandSlot.answer))
    let socket = try #require(TestSocket(port: port))
    let request = CommandSlot.makeRequest(token, to: "x")
    for number in 1...3 {
      socket.send(request)
      let head = socket.webSocketRequest()
      #expect(head.hasPrefix("HTTP/1.1 200 "))
      #expect(head.contains("Connection: close") == (number == 3))
      let body = socket.receive(CommandSlot.answer)
      #expect(body.count == CommandSlot.answer && Set(body).count > 200)
      #expect(try ask("GET /v1/uplink/slot/\(token)") == "")
    }
    #expect(socket.receive(1).isEmpty)
    client.say(.sent(1))
    guard case .received(1, let receipt)? = try client.next() else {
      Issue.record("no receipt")
      return
    }
    #expect(receipt.bytes == 3 * CommandSlot.answer)
    #expect((receipt.leastRoundTrip ?? 0) > 0)
    client.say(.bye)
    #expect(try client.next() == .closed)
    #expect(await listener.stop(within: .seconds(300)))
  }

  /// A network sees each answer in one record of its head and one of its body: in crumbs it would be many times as
  /// large. No other limit of the server ends the connection before.
  @Test func commandsAreAnsweredInWholeRecords() async throws {
    let authority = try TestAuthority()
    var http = HTTPLimits()
    http.keptConnections = 0
    let (listener, port) = try await startEncrypted(UplinkService(), authority, http)
    let place = try await HostPlace.find(
      "https://127.0.0.1:\(port)", authorities: authority.certificate)
    let waiting = SocketWait(end: try #require(EndSignal()))
    let link = try HostLink(to: place, asking: nil, token: "0", waiting)
    _ = try link.ask(Self.commands, within: .seconds(300))
    let order = SlotOrder(1, .original, .down, bytes: CommandSlot.bytes)
    let token = try link.token(for: order)
    let line = try RecordLine(port: port, authority.certificate)
    for _ in 0..<CommandSlot.requests.all {
      let sizes = try line.ask(CommandSlot.makeRequest(token, to: "127.0.0.1"))
      #expect(sizes.count <= 2 && sizes.last ?? 0 >= CommandSlot.answer, "\(sizes)")
    }
    #expect(try link.end(1).bytes == CommandSlot.bytes)
    // What was said of it counts as well, and once.
    let spent = (link.spent(), link.spent())
    #expect(spent.0 > 1_000 && spent.1 == 0)
    link.leave()
    #expect(await listener.stop(within: .seconds(300)))
  }

  /// Whoever has no token that holds is not answered, and nothing is sent to him.
  @Test func nobodyElseMakesASlot() async throws {
    let client = try granted()
    let token = try token(client, SlotOrder(1, .original, .up, bytes: 10))
    for request in [
      "POST /v1/uplink/slot/", "GET /v1/uplink/slot/0", "PUT /v1/uplink/slot/\(token)",
      "POST /v1/uplink/slot/\(token)0",
    ] {
      #expect(try ask(request, body: [1]) == "", "\(request)")
    }
    #expect(try ask("POST /v1/uplink/slot/\(token)", body: [1]).hasPrefix("HTTP/1.1 204 "))
    // It holds once.
    #expect(try ask("POST /v1/uplink/slot/\(token)", body: [1]) == "")
    client.say(.bye)
    #expect(try client.next() == .closed)
    #expect(await listener.stop(within: .seconds(300)))
  }

  /// A token is worth nothing to who has stolen it when its session is over, or for the other way.
  @Test func aTokenEndsWithItsSession() async throws {
    let client = try granted()
    let first = try token(client, SlotOrder(1, .original, .down, bytes: 1_000))
    #expect(try ask("POST /v1/uplink/slot/\(first)", body: [1]) == "")
    // That was the only time.
    #expect(try ask("GET /v1/uplink/slot/\(first)") == "")
    let second = try token(client, SlotOrder(2, .original, .down, bytes: 1_000))
    client.say(.bye)
    #expect(try client.next() == .closed)
    #expect(try client.next() == nil)
    #expect(try ask("GET /v1/uplink/slot/\(second)") == "")
    #expect(await listener.stop(within: .seconds(300)))
  }

  @Test func hasRoomForAllWhoMayWait() async {
    var (own, http) = (HostLimits(), HTTPLimits())
    own.waiting = 64
    UplinkService(own).adjust(&http)
    #expect(http.upgrades == 2 * own.running + 64)
    #expect(await listener.stop(within: .seconds(300)))
  }

  /// Under TLS nothing is read of the end of a connection, and who comes next from there would wait for the silence.
  @Test func nobodyWaitsForWhoIsGone() async throws {
    let authority = try TestAuthority()
    var limits = HostLimits()
    limits.silentSeconds = 1_000_000
    limits.sessionSeconds = 1_000_000
    let service = UplinkService(limits)
    let (listener, port) = try await startEncrypted(service, authority)
    let socket = try #require(TestSocket(port: port))
    let stream = try TLSStream(
      over: socket.descriptor,
      .client(.authorities(file: authority.certificate, name: "127.0.0.1"), asking: nil))
    let request =
      "GET /v1/uplink/session HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
      + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    try stream.send(Array(request.utf8))
    var session = WebSocketSession(.client)
    for case .send(let bytes) in session.say(.text(Self.hello.text)) { try stream.send(bytes) }
    try await waitUntil { service.running == 1 }
    socket.endSending()
    try await waitUntil { service.running == 0 }
    #expect(await listener.stop(within: .seconds(300)))
  }

  /// The server has one thread.
  @Test func whoReadsAndSendsSlowlyHoldsNobodyUp() async throws {
    let client = try granted()
    let receipt = try #require(try receiptOfSlowOnes(client))
    // What was not read was not made, but for what waits on the way.
    #expect(receipt.bytes > 0 && receipt.bytes < 50_000_000)
    client.say(.bye)
    #expect(try client.next() == .closed)
    #expect(await listener.stop(within: .seconds(300)))
  }

  /// Others are answered while slots neither go on nor end; they are gone afterwards.
  private func receiptOfSlowOnes(_ client: ServiceClient) throws -> SlotReceipt? {
    let down = try token(client, SlotOrder(1, .original, .down, bytes: 50_000_000))
    let reader = try #require(TestSocket(port: port))
    reader.send("GET /v1/uplink/slot/\(down) HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(reader.receive(12) == Array("HTTP/1.1 200".utf8))
    let up = try token(client, SlotOrder(2, .control, .up, bytes: 1_000_000))
    let sender = try #require(TestSocket(port: port))
    sender.send(
      "POST /v1/uplink/slot/\(up) HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n1")
    for _ in 0..<20 { #expect(try ask("GET /", answers: 12).hasPrefix("HTTP/1.1 200")) }
    client.say(.sent(1))
    guard case .received(1, let receipt)? = try client.next() else { return nil }
    return receipt
  }

  @Test func whoIsNotKnownHasNoSession() async throws {
    #expect(try ServiceClient(port: port, token: "other").head.hasPrefix("HTTP/1.1 401 "))
    #expect(try ServiceClient(port: port, version: "12").head.hasPrefix("HTTP/1.1 426 "))
    #expect(try ask("GET /", answers: 12).hasPrefix("HTTP/1.1 200"))
    let client = try ServiceClient(port: port)
    client.say("nonsense")
    #expect(try client.next() == .closed)
    #expect(try client.next() == nil)
    #expect(await listener.stop(within: .seconds(300)))
  }

  @Test func oneSessionAtATime() async throws {
    let first = try granted()
    let second = try ServiceClient(port: port)
    second.say(Self.hello)
    #expect(try second.next() == .queued(place: 1, seconds: 60))
    first.say(.bye)
    guard case .granted? = try second.next() else {
      Issue.record("not granted")
      return
    }
    second.say(.bye)
    #expect(try second.next() == .closed)
    #expect(await listener.stop(within: .seconds(300)))
  }
}
