import Bluetooth
import LunaTesting
import Testing
import VirtualRadio

@Suite("VirtualRadioSource", .timeLimit(.minutes(10)))
struct VirtualRadioSourceTests {
  @Test("It says that it is simulated, and which seed it has")
  func description() {
    let description = VirtualRadioSource(seed: 42).description
    #expect(description.name == "virtual:42")
    #expect(description.simulated)
    #expect(description.explanation.contains("42"))
  }

  @Test("It hands out what the room gives, in its order, and counts it")
  func sequence() async throws {
    let start = Timestamp(microseconds: 1_767_225_600_000_000)
    let source = VirtualRadioSource(seed: 3, startTime: start, clock: JumpingClock())
    var room = VirtualRoom(seed: 3, start: start)
    try await source.start()
    var count: UInt64 = 0
    for try await batch in source.batches {
      #expect(!batch.isEmpty)
      for report in batch { #expect(report == room.next()) }
      count += UInt64(batch.count)
      if count >= 5_000 { break }
    }
    #expect(source.counters.reports == count)
    #expect(source.counters.packets == count)
    await source.stop()
    #expect(try await source.nextBatch() == nil)
  }

  @Test("Without a start time the reports are of the present, in real time")
  func present() async throws {
    let source = VirtualRadioSource(seed: 1)
    let clock = ContinuousClock()
    let begin = clock.now
    try await source.start()
    let first = try #require(try await source.nextBatch()?.first)
    var last = first
    while begin.duration(to: clock.now) < .milliseconds(300) {
      last = try #require(try await source.nextBatch()?.last)
    }
    // After 2026-01-01, and no faster than the clock.
    #expect(first.time.microseconds > 1_760_000_000_000_000)
    let heard = Duration.microseconds(last.time.microseconds - first.time.microseconds)
    #expect(heard <= begin.duration(to: clock.now))
    await source.stop()
  }

  @Test("What is on the air during a pause is not heard; afterwards it goes on with the present")
  func pause() async throws {
    let start = Timestamp(microseconds: 1_767_225_600_000_000)
    let clock = JumpingClock()
    let source = VirtualRadioSource(seed: 3, startTime: start, clock: clock)
    let begin = clock.now
    try await source.start()
    #expect(try await source.nextBatch() != nil)
    await source.pause()
    await source.pause()
    var states = source.states.makeAsyncIterator()
    #expect(await states.next() == .paused)
    let counted = source.counters
    let waiting = Task { try await source.nextBatch() }
    try await clock.sleep(until: begin + .seconds(60), tolerance: nil)
    #expect(source.counters == counted)
    await source.resume()
    let first = try #require(try await waiting.value?.first)
    #expect(first.time.microseconds - start.microseconds > 60_000_000)
    await source.stop()
  }

  @Test("A source that pauses can be stopped")
  func stopInPause() async throws {
    let source = VirtualRadioSource(seed: 1, clock: StoppedClock())
    try await source.start()
    await source.pause()
    let waiting = Task { try await source.nextBatch() }
    await source.stop()
    #expect(try await waiting.value == nil)
    await source.resume()
  }

  @Test("A batch that is waited for ends when the source is stopped")
  func stop() async throws {
    let clock = StoppedClock()
    let source = VirtualRadioSource(seed: 1, clock: clock)
    try await source.start()
    let waiting = Task { try await source.nextBatch() }
    try await clock.sleepers.until { $0 > 0 }
    await source.stop()
    #expect(try await waiting.value == nil)
    await source.stop()
  }

  @Test("A batch that is waited for ends when its task is cancelled; the next one comes")
  func cancel() async throws {
    let source = VirtualRadioSource(seed: 1)
    try await source.start()
    let heard = Watched(0)
    let waiting = Task { () -> Bool in
      while try await source.nextBatch() != nil { heard.withLock { $0 += 1 } }
      return Task.isCancelled
    }
    try await heard.until { $0 > 0 }
    waiting.cancel()
    #expect(try await waiting.value)
    #expect(try await source.nextBatch() != nil)
    await source.stop()
  }

  @Test("The states are starting, scanning, and then the end")
  func states() async throws {
    let source = VirtualRadioSource(seed: 1)
    try await source.start()
    var iterator = source.states.makeAsyncIterator()
    #expect(await iterator.next() == .scanning)
    await source.stop()
    #expect(await iterator.next() == nil)
  }
}

/// A clock that stands still: only a cancelled wait ends.
private struct StoppedClock: Clock {
  typealias Instant = ContinuousClock.Instant

  let now = ContinuousClock.now
  /// How often somebody has begun to wait.
  let sleepers = Watched(0)

  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    sleepers.withLock { $0 += 1 }
    while true { try await Task.sleep(for: .seconds(60)) }
  }
}
