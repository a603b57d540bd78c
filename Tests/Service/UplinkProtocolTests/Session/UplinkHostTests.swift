import LunaJSON
import Testing

@testable import UplinkProtocol

/// The sessions of a server of ours.
struct UplinkHostTests {
  private static let hello = greeting(version: 1)

  private static func greeting(version: Int, profile: String = "luna-upload") -> String {
    SessionRequest.hello(
      version: version, profile: profile, direction: "up", pairs: 16, slotBytes: 1_000,
      slotSeconds: 1.5
    ).text
  }

  private static func slot(
    _ number: Int, bytes: Int = 1_000, _ direction: SlotDirection = .up
  ) -> String {
    SessionRequest.slot(SlotOrder(number, .original, direction, bytes: bytes)).text
  }

  private func host(_ change: (inout HostLimits) -> Void = { _ in }) -> UplinkHost {
    var limits = HostLimits()
    change(&limits)
    return UplinkHost(limits) { "t0ken" }
  }

  /// A session of somebody who is nobody else.
  private func open(_ host: inout UplinkHost, _ who: Int, at time: Double = 0) throws -> Int {
    let id = host.open(
      token: "\(who)", address: "192.0.2.\(who)", cut: "192.0.2.0/24", at: time)
    return try #require(id)
  }

  private func granted(_ id: Int, _ bytes: Int = 200_000_000) -> [UplinkHost.Action] {
    [.say(id, .granted(session: "s\(id)", address: "192.0.2.0/24", maxBytes: bytes))]
  }

  private func refused(_ id: Int, _ code: SessionReply.Refusal, _ seconds: Int = 60)
    -> [UplinkHost.Action]
  {
    [.say(id, .refused(code, retryAfter: seconds)), .end(id)]
  }

  private func closed(_ id: Int) -> [UplinkHost.Action] { [.say(id, .closed), .end(id)] }

  @Test func aSlotIsMadeOnce() throws {
    var host = host()
    let id = try open(&host, 1)
    #expect(host.take(Self.hello, from: id, at: 1) == granted(id))
    #expect(host.take(Self.slot(1), from: id, at: 2) == [.say(id, .ready(1, token: "t0ken"))])
    #expect(host.claim("another", .up, at: 3) == nil)
    let claimed = host.claim("t0ken", .up, at: 3)
    let claim = try #require(claimed)
    #expect(claim.session == id && claim.order.bytes == 1_000)
    #expect(host.claim("t0ken", .up, at: 3) == nil)
    let sent = SessionRequest.sent(1).text
    #expect(host.take(sent, from: id, at: 4) == [.tell(id, slot: 1)])
    #expect(host.take(SessionRequest.bye.text, from: id, at: 5) == closed(id))
    #expect(host.running == 0 && host.take(Self.hello, from: id, at: 6).isEmpty)
  }

  @Test(arguments: ["luna-upload", "luna-command", "https-generic", "another"])
  func aSessionSaysWhetherItsSlotsAreOfCommands(_ profile: String) throws {
    var host = host()
    let id = try open(&host, 1)
    _ = host.take(Self.greeting(version: 1, profile: profile), from: id, at: 0)
    _ = host.take(Self.slot(1, .down), from: id, at: 0)
    let claim = host.claim("t0ken", .down, at: 1)
    #expect(claim?.hasCommands == (profile == "luna-command"))
  }

  @Test func aTokenIsOldAfterTenSecondsAndHasOneDirection() throws {
    var host = host()
    let id = try open(&host, 1)
    _ = host.take(Self.hello, from: id, at: 0)
    _ = host.take(Self.slot(1), from: id, at: 0)
    #expect(host.claim("t0ken", .up, at: 10) == nil)
    _ = host.take(Self.slot(2), from: id, at: 10)
    #expect(host.claim("t0ken", .down, at: 11) == nil)
    // It is nobody's once the session has gone.
    _ = host.take(Self.slot(3), from: id, at: 12)
    #expect(host.close(id, at: 13).isEmpty && host.claim("t0ken", .up, at: 13) == nil)
  }

  @Test func whoComesFromTheSameAddressWaits() throws {
    var host = host { $0.sessionSeconds = 10_000 }
    let first = try open(&host, 1)
    _ = host.take(Self.hello, from: first, at: 0)
    let other = host.open(token: "2", address: "192.0.2.1", cut: "192.0.2.0/24", at: 1)
    let second = try #require(other)
    #expect(
      host.take(Self.hello, from: second, at: 1) == [.say(second, .queued(place: 1, seconds: 60))])
    // Somebody else need not wait for them.
    let third = try open(&host, 3)
    #expect(host.take(Self.hello, from: third, at: 2) == granted(third))
    let again = host.open(token: "3", address: "192.0.2.9", cut: "192.0.2.0/24", at: 2)
    let sameToken = try #require(again)
    #expect(
      host.take(Self.hello, from: sameToken, at: 2) == [
        .say(sameToken, .queued(place: 2, seconds: 120))
      ])
    #expect(host.close(first, at: 3) == granted(second))
    // Nobody waits for ever.
    for id in [second, third] { _ = host.take(SessionRequest.sent(1).text, from: id, at: 600) }
    #expect(host.tick(at: 602) == refused(sameToken, .busy))
  }

  @Test func thereAreAsManyAsMayBe() throws {
    var host = host {
      $0.running = 1
      $0.waiting = 1
    }
    let ids = [try open(&host, 1), try open(&host, 2)]
    let none = host.open(token: "3", address: "3", cut: "3", at: 0)
    #expect(none == nil)
    _ = host.take(Self.hello, from: ids[0], at: 0)
    _ = host.take(Self.hello, from: ids[1], at: 0)
    #expect(host.running == 1)
    _ = host.close(ids[0], at: 1)
    let third = try open(&host, 3, at: 1)
    #expect(
      host.take(Self.hello, from: third, at: 1) == [.say(third, .queued(place: 1, seconds: 60))])
  }

  @Test func dataHasLimits() throws {
    var host = host {
      $0.sessionBytes = 1_500
      $0.dailyBytes = 2_500
    }
    let first = try open(&host, 1)
    #expect(host.take(Self.hello, from: first, at: 0) == granted(first, 1_500))
    _ = host.take(Self.slot(1), from: first, at: 0)
    #expect(host.take(Self.slot(2), from: first, at: 0) == refused(first, .budget))
    let second = try open(&host, 1)
    _ = host.take(Self.hello, from: second, at: 1)
    _ = host.take(Self.slot(1, bytes: 1_500), from: second, at: 1)
    _ = host.close(second, at: 1)
    // Nothing is left of the day; the next one is another.
    let third = try open(&host, 1)
    #expect(host.take(Self.hello, from: third, at: 2) == refused(third, .budget, 86_400))
    let fourth = try open(&host, 1, at: 86_400)
    #expect(host.take(Self.hello, from: fourth, at: 86_400) == granted(fourth, 1_500))
  }

  /// All together have no more than a rate, however many they are.
  @Test func slotsWaitForEachOther() throws {
    var host = host { $0.bytesPerSecond = 1_000 }
    let ids = [try open(&host, 1), try open(&host, 2), try open(&host, 3)]
    for id in ids { _ = host.take(Self.hello, from: id, at: 0) }
    func ready(_ number: Int) -> UplinkHost.Action {
      .say(ids[number], .ready(1, token: "t0ken"))
    }
    // A second's worth may come at once, and one that is larger than that alone.
    #expect(host.take(Self.slot(1, bytes: 3_000), from: ids[0], at: 5) == [ready(0)])
    #expect(host.take(Self.slot(1, bytes: 500), from: ids[1], at: 5).isEmpty)
    #expect(host.take(Self.slot(1, bytes: 500), from: ids[2], at: 5).isEmpty)
    #expect(host.tick(at: 7.25).isEmpty)
    #expect(host.tick(at: 7.5) == [ready(1)])
    // Who is gone is waited for no more.
    _ = host.close(ids[2], at: 7.6)
    #expect(host.tick(at: 9).isEmpty)
  }

  @Test func whoSaysNothingIsClosed() throws {
    var host = host()
    let silent = try open(&host, 1)
    let quiet = try open(&host, 2)
    _ = host.take(Self.hello, from: quiet, at: 0)
    #expect(host.tick(at: 9).isEmpty)
    #expect(host.tick(at: 10) == closed(silent))
    #expect(host.tick(at: 60) == closed(quiet))
    let long = try open(&host, 3, at: 60)
    for second in stride(from: 60.0, to: 660, by: 30) {
      #expect(host.tick(at: second).isEmpty)
      let text = second == 60 ? Self.hello : SessionRequest.sent(1).text
      _ = host.take(text, from: long, at: second)
    }
    #expect(host.tick(at: 660) == refused(long, .rate))
  }

  @Test func anotherVersionIsRefused() throws {
    var host = host()
    let id = try open(&host, 1)
    #expect(host.take(Self.greeting(version: 2), from: id, at: 0) == refused(id, .version, 0))
  }

  @Test(arguments: [
    "", "{}", "[]", #"{"type":"slot","n":1}"#, #"{"type":"hello","version":"1"}"#,
    slot(1), #"{"type":"sent","n":1}"#, String(repeating: "[", count: 10_000),
    #"{"type":"bye","x":"\#(String(repeating: "x", count: 16 << 10))"}"#,
  ])
  func whoDoesNotKeepToItIsClosed(_ text: String) throws {
    var host = host()
    let id = try open(&host, 1)
    #expect(host.take(text, from: id, at: 0) == closed(id))
    #expect(host.running == 0)
  }

  @Test(arguments: [0, 2, -1, 1_000_000])
  func slotsComeInTheirOrder(_ number: Int) throws {
    var host = host()
    let id = try open(&host, 1)
    _ = host.take(Self.hello, from: id, at: 0)
    #expect(host.take(Self.slot(number), from: id, at: 0) == closed(id))
  }

  @Test func textsAreReadAsTheyAreWritten() throws {
    let replies: [SessionReply] = [
      .granted(session: "s1", address: "::/48", maxBytes: 7), .queued(place: 2, seconds: 60),
      .refused(.token, retryAfter: 3), .ready(4, token: "a0"),
      .received(5, SlotReceipt(bytes: 9, seconds: 1.5, samples: [[0.5, 4], [1.5, 9]])), .closed,
      .received(
        6,
        SlotReceipt(
          bytes: 9, seconds: 1.5, samples: [], leastRoundTrip: 0.025, retransmitted: 2_896)),
    ]
    for reply in replies { #expect(try SessionReply(reply.text) == reply) }
    let requests: [SessionRequest] = [
      .slot(SlotOrder(3, .control, .down, bytes: 5)), .sent(3), .bye,
    ]
    for request in requests { #expect(try SessionRequest(request.text) == request) }
  }

  /// A server says where it was asked, and what its clock says; a client that needs neither reads on.
  @Test func aServerSaysWhereAndWhenSlotsCanBeMade() throws {
    let granted = SessionReply.granted(session: "s1", address: "::/48", maxBytes: 7)
    let start = #"{"type":"granted","session":"s1","address":"::/48","maxBytes":7"#
    #expect(granted.text == start + "}")
    let text = granted.text(askedAt: 8_443, now: "2027-01-15T08:00:00Z")
    #expect(text == start + #","port":8443,"now":"2027-01-15T08:00:00Z"}"#)
    #expect(try SessionReply(text) == granted)
    #expect(SessionReply.closed.text(askedAt: 1, now: "") == SessionReply.closed.text)
  }

  /// What nobody needs to know takes bytes as well.
  @Test func samplesAreAsLongAsTheyNeedBe() {
    let receipt = SlotReceipt(bytes: 9, seconds: 1, samples: [[0.123456789, 4.25]])
    #expect(SessionReply.received(1, receipt).text.contains("[[0.123457,4.25]]"))
  }

  /// A server may know nothing of a connection, or be one that does not tell yet.
  @Test func aReceiptHasWhatIsKnown() throws {
    let start = #"{"type":"received","n":1,"bytes":9,"seconds":1.5,"samples":[]"#
    let bare = SessionReply.received(1, SlotReceipt(bytes: 9, seconds: 1.5, samples: []))
    #expect(try SessionReply(start + "}") == bare)
    #expect(bare.text == start + #","minRtt":null,"retransmitted":0}"#)
    for wrong in [#""minRtt":-1"#, #""minRtt":"1""#, #""retransmitted":-1"#] {
      #expect(throws: FormatError.self) { try SessionReply("\(start),\(wrong)}") }
    }
  }
}
