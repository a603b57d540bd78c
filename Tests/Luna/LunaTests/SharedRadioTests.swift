import Synchronization
import Testing

@testable import Luna

@Suite("One radio for all", .timeLimit(.minutes(10)))
struct SharedRadioTests {
  private let probe = ProbeRadio()

  @Test("All hear the same; it is opened with the first and closed with the last")
  func isOpenedOnce() async throws {
    let radio = SharedRadio(probe)
    let first = try radio.makeSource(.auto)
    let second = try radio.makeSource(.auto)
    try await first.start()
    probe.hear(2)
    #expect(try await first.nextBatch()?.count == 2)
    try await second.start()
    probe.hear(3)
    #expect(try await first.nextBatch()?.count == 3)
    #expect(try await second.nextBatch()?.count == 3)
    #expect(first.counters.packets == 5 && first.counters.reports == 5)
    #expect(second.counters.packets == 3 && second.counters.reports == 3)
    await first.stop()
    #expect(try await first.nextBatch() == nil)
    probe.hear(1)
    #expect(try await second.nextBatch()?.count == 1)
    #expect(probe.log == ["start auto"])
    await second.stop()
    await second.stop()
    #expect(probe.log == ["start auto", "close auto", "stop auto"])
  }

  @Test("Those who begin at the same time open one")
  func beginsOnce() async throws {
    let radio = SharedRadio(probe)
    let sources = try (0..<8).map { _ in try radio.makeSource(.auto) }
    try await withThrowingTaskGroup { group in
      for source in sources { group.addTask { try await source.start() } }
      try await group.waitForAll()
    }
    #expect(probe.log == ["start auto"])
    await withTaskGroup { group in
      for source in sources { group.addTask { await source.stop() } }
    }
    #expect(probe.log == ["start auto", "close auto", "stop auto"])
  }

  @Test("It scans as the most demanding wants, and goes on for those who were there")
  func scansMore() async throws {
    let radio = SharedRadio(probe)
    let modest = try radio.makeSource(.passive)
    try await modest.start()
    probe.hear(1)
    #expect(try await modest.nextBatch()?.count == 1)
    let demanding = try radio.makeSource(.active)
    try await demanding.start()
    #expect(probe.log == ["start passive", "close passive", "stop passive", "start active"])
    probe.hear(2)
    #expect(try await modest.nextBatch()?.count == 2)
    #expect(try await demanding.nextBatch()?.count == 2)
    #expect(modest.counters.packets == 3 && demanding.counters.packets == 2)
    await demanding.stop()
    probe.hear(1)
    #expect(try await modest.nextBatch()?.count == 1)
    await modest.stop()
    #expect(probe.log.last == "stop active")
  }

  @Test("Who does without scan responses where that can be hears with them where it cannot")
  func scansOtherwise() async throws {
    let probe = ProbeRadio(refusing: .passive)
    let radio = SharedRadio(probe)
    let strict = try radio.makeSource(.passive)
    await #expect(throws: SourceError.self) { try await strict.start() }
    let sparing = try radio.makeSource(.passive, otherwise: .auto)
    try await sparing.start()
    #expect(probe.log == ["start auto"])
    probe.hear(1)
    #expect(try await sparing.nextBatch()?.count == 1)
    await sparing.stop()
    #expect(probe.log.last == "stop auto")
    // What has another reason is no matter of how it scans.
    let gone = SharedRadio(ProbeRadio(failure: SourceError(.noAdapter, "there is no adapter")))
    let source = try gone.makeSource(.passive, otherwise: .auto)
    await #expect(throws: SourceError.self) { try await source.start() }
  }

  @Test("A gateway listens sparingly through a radio that can only scan actively")
  func hasAGatewaySpare() async throws {
    let probe = ProbeRadio(refusing: .passive)
    let parts = LunaSettings().finderParts(SharedRadio(probe))
    let source = try parts.makeRadio(.sparse).source
    try await source.start()
    #expect(probe.log == ["start auto"])
    await source.stop()
    var settings = LunaSettings()
    settings.mode = .passive
    let quiet = try settings.finderParts(SharedRadio(probe)).makeRadio(.sparse).source
    await #expect(throws: SourceError.self) { try await quiet.start() }
  }

  @Test("It pauses while all who listen do, and who pauses hears nothing of what the others hear")
  func pausesWithAll() async throws {
    let radio = SharedRadio(probe)
    let first = try radio.makeSource(.auto)
    let second = try radio.makeSource(.auto)
    try await first.start()
    try await second.start()
    await first.pause()
    probe.hear(1)
    #expect(try await second.nextBatch()?.count == 1)
    #expect(probe.log == ["start auto"])
    await second.pause()
    await second.pause()
    #expect(probe.log == ["start auto", "pause auto"])
    await first.resume()
    probe.hear(2)
    #expect(try await first.nextBatch()?.count == 2)
    #expect(probe.log == ["start auto", "pause auto", "resume auto"])
    #expect(first.counters.packets == 2 && first.counters.reports == 2)
    #expect(second.counters.packets == 1 && second.counters.reports == 1)
    // With the one who listens gone nobody does, and with a third one somebody does again.
    await first.stop()
    #expect(probe.log.last == "pause auto")
    let third = try radio.makeSource(.auto)
    try await third.start()
    #expect(probe.log.last == "resume auto")
    await third.stop()
    await second.stop()
    #expect(probe.log.suffix(3) == ["pause auto", "close auto", "stop auto"])
  }

  @Test("A radio that is opened anew while all pause, pauses")
  func pausesAnew() async throws {
    let radio = SharedRadio(probe)
    let modest = try radio.makeSource(.passive)
    let demanding = try radio.makeSource(.active)
    try await modest.start()
    await modest.pause()
    await demanding.pause()
    try await demanding.start()
    #expect(probe.log.suffix(2) == ["start active", "pause active"])
    await withTaskGroup { group in
      for source in [modest, demanding] { group.addTask { await source.resume() } }
    }
    #expect(probe.log.last == "resume active")
    await demanding.stop()
    await modest.stop()
  }

  @Test("A simulated room pauses for its only listener")
  func simulatedRoom() async throws {
    let radio = SharedRadio(try TrackerRoom(seed: 3))
    let source = try radio.makeSource(.auto)
    try await source.start()
    #expect(try await source.nextBatch()?.isEmpty == false)
    await source.pause()
    for await state in source.states where state == .paused { break }
    await source.resume()
    #expect(try await source.nextBatch()?.isEmpty == false)
    await source.stop()
  }

  @Test("When it fails all are told, and who begins afterwards gets another one")
  func failsForAll() async throws {
    let radio = SharedRadio(probe)
    let first = try radio.makeSource(.auto)
    let second = try radio.makeSource(.auto)
    try await first.start()
    try await second.start()
    probe.end(SourceError(.lost, "it is gone"))
    for source in [first, second] {
      await #expect(throws: SourceError.self) { try await source.nextBatch() }
    }
    await first.stop()
    let third = try radio.makeSource(.auto)
    try await third.start()
    #expect(probe.log == ["start auto", "close auto", "stop auto", "start auto"])
    await second.stop()
    probe.hear(1)
    #expect(try await third.nextBatch()?.count == 1)
    await third.stop()
  }

  @Test("When it cannot scan as another wants, those who were there are told")
  func failsToScanMore() async throws {
    let probe = ProbeRadio(refusing: .active)
    let radio = SharedRadio(probe)
    let modest = try radio.makeSource(.passive)
    try await modest.start()
    let demanding = try radio.makeSource(.active)
    await #expect(throws: SourceError.self) { try await demanding.start() }
    await #expect(throws: SourceError.self) { try await modest.nextBatch() }
    await modest.stop()
    #expect(probe.log == ["start passive", "close passive", "stop passive"])
  }

  @Test("Whoever listens, connecting goes through the same radio")
  func connects() async throws {
    let radio = SharedRadio(probe)
    let source = try radio.makeSource(.auto)
    try await source.start()
    await #expect(throws: GATTError.self) {
      try await radio.connect(to: ProbeRadio.peer, GATTLimits()) { _ in }
    }
    #expect(probe.log == ["start auto", "connect auto"])
    await source.stop()
  }
}
