import Glibc
import HTTPServer
import LunaTesting
import Testing
import UplinkProtocol

@testable import LunaUplink

/// A server for clients of Wehe's on loopback.
@Suite(.timeLimit(.minutes(10))) struct WeheServiceTests {
  private static let answer = 1_000_000

  private let authority: TestAuthority
  private let service: WeheService
  private let listeners: [HTTPListener]
  /// Side channel plain and TLS, results plain and TLS, data over TCP and UDP.
  private let ports: [UInt16]

  init() throws {
    authority = try TestAuthority()
    let certified = try authority.certify("DNS:wehe.example")
    var free: Set<UInt16> = []
    while free.count < 6 { free.insert(freePort()) }
    ports = Array(free)
    var recordings = WeheRecordings()
    try recordings.add(Recording(Array(Self.stream(ports[4]).utf8)), nil)
    try recordings.add(
      Recording(Array(Self.story(ports[4]).utf8)),
      ServerRecording(Array(Self.teller(ports[4]).utf8)))
    try recordings.add(
      Recording(Array(Self.datagrams(ports[5]).utf8)),
      ServerRecording(Array(Self.flow(ports[5]).utf8)))
    let made = WeheService(
      recordings, certificate: certified.certificate, key: certified.key,
      date: { "2026-11-25 23:20:31" })
    service = try #require(made)
    listeners = try service.start(on: "127.0.0.1", ports: Array(ports[..<4]))
  }

  private func stop() async {
    await service.stop()
    for listener in listeners { #expect(await listener.stop(within: .seconds(300))) }
  }

  private static func pair(_ port: UInt16) -> String {
    let text = String(port)
    let digits = String(repeating: "0", count: 5 - text.utf8.count) + text
    return "127.000.000.001.40000-127.000.000.001.\(digits)"
  }

  private static func stream(_ port: UInt16) -> String {
    #"[[{"c_s_pair":"\#(pair(port))","timestamp":0,"payload":"68656c6c6f","#
      + #""response_len":\#(answer),"response_hash":null}],[],["\#(pair(port))"],"Luna-11252026"]"#
  }

  private static func story(_ port: UInt16) -> String {
    stream(port).replacing("Luna-11252026", with: "Story-11252026")
      .replacing("\(answer)", with: "20")
  }

  /// Its answers are half a second apart.
  private static func teller(_ port: UInt16) -> String {
    #"{"lunaRecording":1,"name":"Story-11252026","udp":{},"tcp":{"\#(pair(port))":["#
      + #"{"requestLength":5,"requestHash":null,"responses":["#
      + #"{"timestamp":3,"fill":10,"seed":1},{"timestamp":3.5,"fill":10,"seed":2}]}]}}"#
  }

  private static func datagrams(_ port: UInt16) -> String {
    #"[[{"c_s_pair":"\#(pair(port))","timestamp":0,"payload":"68656c6c6f","end":true}],"#
      + #"["40000"],[],"Call-11252026"]"#
  }

  private static func flow(_ port: UInt16) -> String {
    #"{"lunaRecording":1,"name":"Call-11252026","tcp":{},"udp":{"\#(pair(port))":["#
      + #"{"timestamp":0,"payload":"070707"},{"timestamp":0.01,"payload":"0808"}]}}"#
  }

  private func plan(_ recording: String, isControl: Bool = false) throws -> ReplayPlan {
    let recording = try Recording(Array(recording.utf8))
    let plan = ReplayPlan(
      user: "abcdefghi1", recording: recording, isControl: isControl, extra: "x", history: 3,
      isLast: false)
    return try #require(plan)
  }

  private func client(isPlain: Bool = true) async throws -> WeheClient {
    var client = WeheClient(
      try await ServerAddress.find("127.0.0.1"),
      authorities: isPlain ? nil : authority.certificate)
    client.sideChannelPort = ports[isPlain ? 0 : 1]
    client.resultsPort = ports[isPlain ? 2 : 3]
    return client
  }

  /// Whoever begins anew at once has the same ports.
  @Test func letsGoOfItsPorts() async throws {
    await stop()
    let certified = try authority.certify("DNS:wehe.example")
    let made = WeheService(
      service.recordings, certificate: certified.certificate, key: certified.key,
      date: { "2026-11-25 23:20:31" })
    let next = try #require(made)
    let listeners = try next.start(on: "127.0.0.1", ports: Array(ports[..<4]))
    await next.stop()
    for listener in listeners { #expect(await listener.stop(within: .seconds(300))) }
  }

  @Test(arguments: [true, false]) func makesTestsWithOurClient(_ isPlain: Bool) async throws {
    let plan = try plan(Self.stream(ports[4]))
    let control = try #require(plan.recording.inverted)
    let told = Watched<[WeheClient.Moment]>([])
    let result = try await client(isPlain: isPlain).check(
      plan, control: control, isOriginalFirst: true, rule: .ios, settings: .standard,
      clock: HurriedClock(), tell: { moment in told.withLock { $0.append(moment) } })
    #expect(
      told.value == [
        .replay(isControl: false), .step(.asking), .step(.allowed), .replay(isControl: true),
        .step(.asking), .step(.allowed), .result, .step(.received),
      ])
    #expect(result.ownAddress == "127.0.0.1")
    #expect(result.comparison.original.bytes == Self.answer + 5)
    #expect(result.comparison.control.bytes == Self.answer + 5)
    guard case .result(let found)? = result.outcome else {
      Issue.record("no result: \(String(describing: result.outcome))")
      return
    }
    #expect(found.name.text == "Luna-11252026" && found.date == "2026-11-25 23:20:31")
    await stop()
  }

  @Test func answersInTheTimeThatWasRecorded() async throws {
    let record = try await client().replay(plan(Self.story(ports[4])))
    #expect(record.outcome == .finished(isTruncated: false) && record.reads.count == 20)
    #expect(record.seconds >= 0.5)
    await stop()
  }

  @Test func sendsDatagrams() async throws {
    let record = try await client().replay(plan(Self.datagrams(ports[5])))
    #expect(record.outcome == .finished(isTruncated: false) && record.reads.count == 5)
    await stop()
  }

  @Test func theSecondFromAnAddressWaits() async throws {
    let plan = try plan(Self.stream(ports[4]))
    let client = try await client()
    async let first = client.replay(plan)
    async let second = client.replay(plan)
    for record in await [first, second] {
      #expect(record.outcome == .finished(isTruncated: false))
      #expect(record.reads.count == Self.answer)
    }
    await stop()
  }

  @Test func doesNotKnowOtherRecordings() async throws {
    let text = Self.stream(ports[4]).replacing("Luna-11252026", with: "Other-11252026")
    let record = try await client().replay(plan(text))
    guard case .failed(let error) = record.outcome else {
      Issue.record("a replay")
      return
    }
    #expect(error.kind == .unknownRecording)
    await stop()
  }

  /// Not one byte goes to whom has no side channel, but its own address.
  @Test(.ownThread) func sendsNothingToOthers() async throws {
    let stranger = try #require(TestSocket(port: ports[4]))
    stranger.send("hello")
    #expect(stranger.receive(1).isEmpty)
    let asking = try #require(TestSocket(port: ports[4]))
    asking.send("GET /WHATSMYIPMAN HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(
      String(decoding: asking.receive(1_000), as: UTF8.self) == "HTTP/1.1 200 OK\r\n\r\n127.0.0.1")
    // Where somebody has one, another address may stand in a datagram.
    let side = try #require(TestSocket(port: ports[0]))
    side.say("abcdefghi1;0;Call-11252026;x;3;False;127.0.0.2;1.0")
    side.say("[-1, null, null]")
    #expect(side.message() == "1;127.0.0.1;100")
    side.say("NoIperf")
    side.say("NoMobileStats")
    #expect(side.message().contains(#""udp":{"127.000.000.001""#))
    #expect(side.message() == "1")
    let forged = try LoopbackDatagrams("127.0.0.2")
    let own = try LoopbackDatagrams("127.0.0.1")
    for _ in 0..<3 { forged.send(to: ports[5]) }
    own.send(to: ports[5])
    #expect(side.message() == "STARTED;\(own.port)")
    #expect(own.receive() == [7, 7, 7] && own.receive() == [8, 8])
    #expect(side.message() == "DONE;\(own.port)")
    // Once: another datagram brings nothing, which the next words of the server show.
    own.send(to: ports[5])
    side.say("DONE;1")
    side.say("NoJitter;abcdefghi1")
    #expect(side.message() == "OK")
    #expect(forged.isSilent && own.isSilent)
    // The session ends with its side channel.
    side.say("Result;No")
    #expect(side.message() == "OK" && side.receive(1).isEmpty)
    let late = try #require(TestSocket(port: ports[4]))
    late.send("hello")
    #expect(late.receive(1).isEmpty)
    await stop()
  }

  /// Who opens side channels, and says nothing, keeps only itself out.
  @Test(.ownThread) func silenceKeepsNobodyOut() async throws {
    let silent = try (0..<4).map { _ in try #require(TestSocket(port: ports[0])) }
    let refused = try #require(TestSocket(port: ports[0]))
    #expect(refused.receive(1).isEmpty)
    // One after the other goes, and gives its place to another.
    for socket in silent { #expect(socket.receive(1).isEmpty) }
    let record = try await client().replay(plan(Self.stream(ports[4])))
    #expect(record.outcome == .finished(isTruncated: false))
    await stop()
  }
}
