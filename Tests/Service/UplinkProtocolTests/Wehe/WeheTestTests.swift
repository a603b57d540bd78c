import Testing
import UplinkProtocol

struct WeheTestTests {
  private let done = ReplayOutcome.finished(isTruncated: false)

  /// How a replay fails in which a server says this.
  private func failed(_ permission: String) throws -> ReplayOutcome {
    let udp = RecordingTests.file([RecordingTests.udp()], ports: #"["48080"]"#, pairs: "[]")
    let plan = ReplayPlan(
      user: "a", recording: try RecordingTests.read(udp), isControl: false, extra: "a", history: 0,
      isLast: false)
    var session = ReplaySession(try #require(plan), server: "192.0.2.1")
    var outcome: ReplayOutcome?
    for event in [
      ReplayEvent.begin, .connected, .received(WeheFrame.bytes(Array(permission.utf8))),
    ] {
      if case .finish(let end)? = session.take(event).last { outcome = end }
    }
    return try #require(outcome)
  }

  /// A replay whose port refuses every connection.
  private func blocked() throws -> ReplayOutcome {
    let tcp = RecordingTests.file([RecordingTests.tcp()])
    let plan = ReplayPlan(
      user: "a", recording: try RecordingTests.read(tcp), isControl: false, extra: "a", history: 0,
      isLast: false)
    var session = ReplaySession(try #require(plan), server: "192.0.2.1")
    _ = session.take(.begin)
    var outcome: ReplayOutcome?
    for _ in 1...5 {
      if case .finish(let end)? = session.take(.ownAddressRefused).last { outcome = end }
      _ = session.take(.timeIsOver)
    }
    return try #require(outcome)
  }

  @Test(arguments: [true, false])
  func makesBothReplays(_ isOriginalFirst: Bool) {
    var test = WeheTest(isOriginalFirst: isOriginalFirst)
    #expect(test.take(.begin) == [.replay(isControl: !isOriginalFirst, isLast: false)])
    #expect(test.take(.ended(done)) == [.replay(isControl: isOriginalFirst, isLast: true)])
    #expect(test.take(.ended(done)) == [.finish(original: done, control: done)])
    #expect(test.take(.begin).isEmpty && test.take(.cancel).isEmpty)
  }

  /// One replay for an address at a time: five tries, half a minute apart.
  @Test func asksAgainWhereTheAddressIsBusy() throws {
    let busy = try failed("0;2;100")
    var test = WeheTest(isOriginalFirst: true)
    let replay = test.take(.begin)
    for _ in 1...4 {
      #expect(test.take(.ended(busy)) == [.wait(30)])
      #expect(test.take(.timeIsOver) == replay)
    }
    #expect(test.take(.ended(busy)) == [.finish(original: busy, control: nil)])
  }

  @Test func doesNotAskAgainAfterData() throws {
    let busy = try failed("0;2;100")
    var test = WeheTest(isOriginalFirst: false)
    _ = test.take(.begin)
    _ = test.take(.ended(done))
    #expect(test.take(.ended(busy)) == [.finish(original: busy, control: done)])
  }

  @Test(arguments: ["0;1", "0;3", "0;9", "x"])
  func endsWhereAReplayFails(_ permission: String) throws {
    let outcome = try failed(permission)
    var test = WeheTest(isOriginalFirst: true)
    _ = test.take(.begin)
    #expect(test.take(.ended(outcome)) == [.finish(original: outcome, control: nil)])
  }

  /// A port that only one of the two reaches is what is looked for.
  @Test func goesOnWhereAPortIsBlocked() throws {
    let blocked = try blocked()
    var test = WeheTest(isOriginalFirst: true)
    _ = test.take(.begin)
    #expect(test.take(.ended(blocked)) == [.replay(isControl: true, isLast: true)])
    #expect(test.take(.ended(done)) == [.finish(original: blocked, control: done)])
  }

  @Test func isCancelledWhileItWaits() throws {
    var test = WeheTest(isOriginalFirst: true)
    _ = test.take(.begin)
    // The replay that runs says so itself.
    #expect(test.take(.cancel).isEmpty)
    _ = test.take(.ended(try failed("0;2;1")))
    guard case .finish(.failed(let error)?, nil)? = test.take(.cancel).first else {
      Issue.record("not cancelled")
      return
    }
    #expect(error.kind == .cancelled)
  }
}
