import Diagnosis
import LunaJSON
import Testing
import UplinkProtocol

struct ReplaySessionTests {
  private static let udp = RecordingTests.file(
    [RecordingTests.udp()], ports: #"["48080"]"#, pairs: "[]")
  private static let tcp = RecordingTests.file([RecordingTests.tcp()])

  private func session(
    _ file: String = tcp, isControl: Bool = false, isLast: Bool = false, link: String? = nil
  ) throws -> ReplaySession {
    let plan = ReplayPlan(
      user: "abcdefghi1", recording: try RecordingTests.read(file), isControl: isControl,
      extra: "0", history: 1, isLast: isLast, link: link)
    return ReplaySession(try #require(plan), server: "192.0.2.1")
  }

  /// What the session does when all of these happen.
  private func run(_ session: inout ReplaySession, _ events: [ReplayEvent]) -> [ReplayAction] {
    events.flatMap { session.take($0) }
  }

  private func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private func server(_ message: String) -> ReplayEvent {
    .received(WeheFrame.bytes(text(message)))
  }

  /// What is sent, as text.
  private func sent(_ actions: [ReplayAction]) -> String {
    actions.reduce(into: "") { all, action in
      if case .send(let bytes) = action { all += String(decoding: bytes, as: UTF8.self) }
    }
  }

  private func failure(_ actions: [ReplayAction]) -> ReplayError.Kind? {
    guard case .finish(.failed(let error))? = actions.last else { return nil }
    return error.kind
  }

  private static let address = "HTTP/1.1 200 OK\r\n\r\n127.0.0.1"
  private static let permission = "1;127.0.0.1;100"

  private func samples() throws -> ReplaySamples {
    let json = try JSONReader.read(text("[[1.5,2.5],[0.1,0.2]]"))
    return try ReplaySamples(json: json, name: "samples")
  }

  private func data(_ isTruncated: Bool = false) throws -> ReplayEvent {
    .data(.ended(seconds: 0.5, samples: try samples(), isTruncated: isTruncated))
  }

  /// The events up to the data.
  private func opening(_ senders: String = "0") -> [ReplayEvent] {
    [
      .begin, .ownAddress(text(Self.address)), .connected, server(Self.permission),
      server(ReplayMapTests.text), server(senders), .timeIsOver,
    ]
  }

  /// A session as it was seen between the public server and client (UPLINK.md, 5.1).
  @Test func speaksAsTheOriginal() throws {
    var session = try session()
    let ask = text("GET /WHATSMYIPMAN HTTP/1.1\r\nHost: x\r\n\r\n")
    #expect(run(&session, [.begin]) == [.askOwnAddress(ask)])
    #expect(run(&session, [.ownAddress(text(Self.address))]) == [.connect, .wait(60)])
    let declared = run(&session, [.connected])
    #expect(
      sent(declared)
        == "0000000053abcdefghi1;0;Pandora-05132024;0;1;False;127.0.0.1;1.0"
        + "0000000016[-1, null, null]")
    #expect(declared.last == .wait(120))
    #expect(
      sent(run(&session, [.received(text("00000000151;127.0.0.1;100"))]))
        == "0000000007NoIperf0000000013NoMobileStats")
    #expect(session.buckets == 100)
    // The server sends the two parts apart.
    #expect(run(&session, [.received(text("0000000088"))]).isEmpty)
    #expect(run(&session, [.received(text(ReplayMapTests.text))]) == [.wait(120)])
    #expect(run(&session, [.received(text("00000000010"))]) == [.wait(1)])
    let transfer = run(&session, [.timeIsOver])
    guard case .transfer(let map, seconds: 45)? = transfer.last else {
      Issue.record("no transfer")
      return
    }
    #expect(map.port(for: try #require(RecordedEndpoint("208.085.042.032.00080"))) == 80)
    #expect(
      sent(run(&session, [try data()])) == "0000000008DONE;0.5"
        + "0000000021[[1.5,2.5],[0.1,0.2]]")
    #expect(sent(run(&session, [.received(text("0000000002OK"))])) == "0000000009Result;No")
    #expect(
      run(&session, [.received(text("0000000002OK"))]) == [.finish(.finished(isTruncated: false))])
    #expect(session.state == .closed && run(&session, [.closed, .cancel, .begin]).isEmpty)
  }

  @Test func saysWhatKindOfReplayItIs() throws {
    var session = try session(isControl: true, isLast: true, link: "wifi")
    let answer = "HTTP/1.1 200 OK\r\n\r\n198.51.100.7"
    let events: [ReplayEvent] = [
      .begin, .ownAddress(text(answer)), .connected, server(Self.permission),
    ]
    let said = sent(run(&session, events))
    #expect(said.contains("abcdefghi1;1;Pandora-05132024;0;1;True;198.51.100.7;1.0"))
    #expect(said.contains("0000000019WillSendMobileStats"))
    for name in [
      "manufacturer", "model", "carrierName", "networkType", "cellInfo", "INCREMENTAL", "RELEASE",
      "SDK_INT",
    ] { #expect(said.contains("\"\(name)\":")) }
    #expect(said.contains(#""networkType":"wifi""#))
    #expect(said.contains(#""locationInfo":{"latitude":"nil","longitude":"nil"}"#))
  }

  @Test(arguments: [
    "", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 404 No\r\n\r\n127.0.0.9", "<html>",
    "HTTP/1.1 200 OK\r\n\r\na;b", "HTTP/1.1 200 OK\r\n\r\n1.2.3.4;\0", "\0",
    "HTTP/1.1 200 OK\r\n\r\n\(String(repeating: "1", count: 2000))",
  ])
  func declaresLoopbackWhereItIsNotTold(_ answer: String) throws {
    var session = try session()
    let said = sent(run(&session, [.begin, .ownAddress(text(answer)), .connected]))
    #expect(said.contains(";False;127.0.0.1;1.0"))
  }

  @Test func asksFiveTimes() throws {
    var session = try session()
    let first = run(&session, [.begin])
    for _ in 1...4 {
      #expect(run(&session, [.ownAddressRefused]) == [.wait(1)])
      #expect(run(&session, [.timeIsOver]) == first)
    }
    #expect(failure(run(&session, [.ownAddressRefused])) == .blocked)
  }

  @Test func endsUDPByNotices() throws {
    var session = try session(Self.udp)
    let map = ReplayMapTests.text.replacing(#""tcp""#, with: #""x""#)
      .replacing(#""udp": {}"#, with: #""udp": {"208.085.042.032": {"00080": ["", 80]}}"#)
    // There is nobody to ask for one's own address.
    #expect(run(&session, [.begin]) == [.connect, .wait(60)])
    let opening = run(
      &session, [.connected, server(Self.permission), server(map), server("1"), .timeIsOver])
    guard case .transfer(_, seconds: 40)? = opening.last else {
      Issue.record("no transfer")
      return
    }
    #expect(
      run(&session, [.received(text("0000000013STARTED;48080"))])
        == [.notice(.started(port: 48080))])
    #expect(
      run(&session, [server("DONE;48080")]) == [.notice(.done(port: 48080)), .endTransfer])
    // Once is enough.
    #expect(run(&session, [server("DONE;48080")]) == [.notice(.done(port: 48080))])
    let none = ReplayEvent.data(.ended(seconds: 1, samples: nil, isTruncated: true))
    #expect(sent(run(&session, [none])) == "0000000008DONE;1.00000000019NoJitter;abcdefghi1")
    #expect(run(&session, [server("DONE;1")]).isEmpty)
    let end = run(&session, [server("OK"), server("OK")])
    #expect(end.last == .finish(.finished(isTruncated: true)))
  }

  /// Whoever says without end that it begins takes data without end.
  @Test(arguments: [true, false]) func noticesHaveAnEnd(_ isDuringData: Bool) throws {
    var session = try session(Self.udp)
    let map = ReplayMapTests.text.replacing(#""tcp""#, with: #""x""#)
      .replacing(#""udp": {}"#, with: #""udp": {"208.085.042.032": {"00080": ["", 80]}}"#)
    _ = run(
      &session,
      [.begin, .connected, server(Self.permission), server(map), server("1"), .timeIsOver])
    if !isDuringData { _ = run(&session, [try data()]) }
    for _ in 0..<64 { #expect(failure(run(&session, [server("STARTED;48080")])) == nil) }
    #expect(failure(run(&session, [server("STARTED;48080")])) == .malformed)
  }

  /// Nobody will say that it has sent everything where nobody sends.
  @Test func endsUDPWhereTheServerSendsNothing() throws {
    let map = ReplayMapTests.text.replacing(#""tcp""#, with: #""x""#)
      .replacing(#""udp": {}"#, with: #""udp": {"208.085.042.032": {"00080": ["", 80]}}"#)
    for (senders, ends) in [("0", true), ("1", false)] {
      var session = try session(Self.udp)
      let events: [ReplayEvent] = [
        .begin, .connected, server(Self.permission), server(map), server(senders), .timeIsOver,
      ]
      let last = run(&session, events).last
      #expect((last == .endTransfer) == ends)
    }
    var session = try session()
    let last = run(&session, opening()).last
    #expect(last != .endTransfer)
  }

  @Test(arguments: [
    ("0;1", ReplayError.Kind.unknownRecording), ("0;2;100", .addressBusy), ("0;3", .overloaded),
    ("0;9", .refused), ("0", .malformed), ("", .malformed), ("2;1;1", .malformed),
    ("1;127.0.0.1", .malformed), ("1;127.0.0.1;0", .malformed), ("1;127.0.0.1;-5", .malformed),
    ("1;127.0.0.1;99999999999999999999", .malformed),
    (String(repeating: ";", count: 200), .malformed),
  ])
  func isRefused(_ permission: String, _ kind: ReplayError.Kind) throws {
    var session = try session()
    let events: [ReplayEvent] = [.begin, .ownAddress([]), .connected, server(permission)]
    #expect(failure(run(&session, events)) == kind)
    #expect(ReplayError.Kind.allCases.contains(kind) && session.state == .closed)
  }

  /// A server that does not know a recording allows it, sends a map, and closes.
  @Test func takesACloseForAnUnknownRecording() throws {
    for (count, kind) in [
      (3, ReplayError.Kind.lost), (4, .lost), (5, .unknownRecording), (6, .lost), (7, .lost),
    ] {
      var session = try session()
      #expect(failure(run(&session, opening().prefix(count) + [.closed])) == kind, "\(count)")
    }
  }

  @Test(arguments: [
    (2, ReplayError.Kind.connect), (3, .lost), (4, .lost), (5, .lost),
  ])
  func waitsNoLonger(_ count: Int, _ kind: ReplayError.Kind) throws {
    var session = try session()
    #expect(failure(run(&session, opening().prefix(count) + [.timeIsOver])) == kind)
  }

  @Test func saysWhatTheDataMet() throws {
    for (data, message, kind) in [
      (ReplayData.ipFlip, "0000000006ipFlip", ReplayError.Kind.ipFlip),
      (.lost, "0000000007timeout", .lost),
    ] {
      var session = try session()
      _ = run(&session, opening())
      let actions = run(&session, [.data(data)])
      #expect(sent(actions) == message && failure(actions) == kind)
    }
    var session = try session()
    #expect(failure(run(&session, [.begin, .ownAddress([]), .notConnected])) == .connect)
  }

  @Test func endsForTheReasonThatIsKnown() throws {
    let error = ReplayError(.authorities, "a file is missing", remedy: "name another one")
    for count in 1...opening().count {
      var session = try session()
      _ = run(&session, Array(opening()[..<count]))
      #expect(session.take(.failed(error)) == [.finish(.failed(error))])
    }
  }

  @Test func isCancelledInOrder() throws {
    for (count, message) in [
      (1, ""), (2, ""), (3, "0000000007timeout"), (4, "0000000007timeout"),
      (7, "0000000007timeout"),
    ] {
      var session = try session()
      _ = run(&session, Array(opening().prefix(count)))
      let actions = run(&session, [.cancel])
      #expect(sent(actions) == message && failure(actions) == .cancelled, "\(count)")
    }
    var session = try session()
    _ = run(&session, opening() + [try data()])
    // The server would read it as something else.
    #expect(sent(run(&session, [.cancel])).isEmpty)
  }

  @Test(arguments: [
    (3, "9999999999"), (3, "-000000001"), (4, "0000000002{}"), (5, "0000000002-1"),
    (5, "000000000217"), (5, "0000000001x"), (7, "0000000002OK"), (7, "0000000010DONE;48080"),
    (2, "0000000002OK"), (1, "0000000002OK"),
  ])
  func refusesWhatDoesNotBelongThere(_ count: Int, _ bytes: String) throws {
    var session = try session()
    let actions = run(&session, opening().prefix(count) + [.received(text(bytes))])
    #expect(failure(actions) == .malformed)
  }

  @Test func refusesOtherAnswersThanOK() throws {
    for count in 0...1 {
      var session = try session()
      let good = [ReplayEvent](repeating: server("OK"), count: count)
      let actions = run(&session, opening() + [try data()] + good + [server("KO")])
      #expect(failure(actions) == .malformed)
    }
  }

  @Test func saysWhatToDo() {
    for kind in [
      ReplayError.Kind.unknownRecording, .addressBusy, .overloaded,
    ] {
      var session = try? session()
      let word = kind == .unknownRecording ? "0;1" : kind == .addressBusy ? "0;2;9" : "0;3"
      let actions = [.begin, .ownAddress([]), .connected, server(word)].flatMap {
        session?.take($0) ?? []
      }
      guard case .finish(.failed(let error))? = actions.last else {
        Issue.record("not refused")
        continue
      }
      #expect(error.diagnosis.remedy != nil && error.kind == kind)
    }
  }

  /// Whatever a server sends, in whatever parts, ends in an error or goes on; it never traps.
  @Test func survivesMutations() throws {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<3_000 {
      var session = try session()
      for event in opening() + [try data(), server("OK"), server("OK")] {
        guard case .received(var bytes) = event else {
          _ = session.take(event)
          continue
        }
        if Int.random(in: 0..<4, using: &generator) == 0, !bytes.isEmpty {
          bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
            UInt8.random(in: 0...255, using: &generator)
        }
        let cut = Int.random(in: 0...bytes.count, using: &generator)
        _ = session.take(.received(Array(bytes[..<cut])))
        _ = session.take(.received(Array(bytes[cut...])))
      }
    }
  }
}
