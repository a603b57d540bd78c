import Bluetooth
import LunaCore
import LunaLocal
import LunaProtocol
import LunaTesting
import Testing

/// `LunaLocal` looks at the clocks once a second.
@Suite(.timeLimit(.minutes(10)))
struct ClockStepTests {
  private static let start: Int64 = 1_750_000_000_000

  /// Clocks that go on only when a test says so.
  private final class Hands: Sendable {
    private struct State {
      var now = ClockStepTests.start
      var elapsed = Duration.zero
      /// When those who sleep are to wake up.
      var sleepers: [(end: Duration, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Watched(State())

    /// The time of day, Unix ms.
    var now: Int64 { state.value.now }

    func set(by milliseconds: Int64) { state.withLock { $0.now += milliseconds } }

    /// Who looks at the time: a scan, and who tells of losses.
    private static let onlookers = 2

    /// So many seconds pass; whoever looks once a second has looked after each.
    func pass(_ seconds: Int) async throws {
      for _ in 0..<seconds {
        try await untilAllSleep()
        let due = state.withLock { state in
          state.now += 1000
          state.elapsed += .seconds(1)
          defer { state.sleepers.removeAll { $0.end <= state.elapsed } }
          return state.sleepers.filter { $0.end <= state.elapsed }
        }
        for sleeper in due { sleeper.continuation.resume() }
      }
      try await untilAllSleep()
    }

    /// Waits until they look within a second: what was heard is told a little before that is so.
    func untilAllLook() async throws {
      try await state.until { state in
        let soon = state.elapsed + .seconds(1)
        return state.sleepers.count { $0.end <= soon } >= Hands.onlookers
      }
    }

    private func untilAllSleep() async throws {
      try await state.until { $0.sleepers.count >= Hands.onlookers }
    }

    private func wakeAll() {
      let all = state.withLock { state in
        defer { state.sleepers = [] }
        return state.sleepers
      }
      for sleeper in all { sleeper.continuation.resume() }
    }

    var clock: WallClock {
      WallClock(
        now: { Timestamp(unixMilliseconds: self.now) },
        elapsed: { self.state.value.elapsed },
        sleep: { duration in
          await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
              let isLate = self.state.withLock { state in
                guard !Task.isCancelled else { return true }
                state.sleepers.append((state.elapsed + duration, continuation))
                return false
              }
              if isLate { continuation.resume() }
            }
          } onCancel: {
            self.wakeAll()
          }
          try Task.checkCancellation()
        })
    }
  }

  @Test(arguments: [-86_400, 365 * 86_400] as [Int64])
  func aClockThatIsSetLosesNothing(seconds: Int64) async throws {
    let tracker = try SimulatedTracker(1, onboarding: Self.start)
    let store = InMemoryDeviceStore(devices: [tracker.device])
    let source = ScriptedSource([])
    let hands = Hands()
    let local = LunaLocal(store: store, clock: hands.clock) { source }
    let (problems, continuation) = AsyncStream.makeStream(of: LocalProblem.self)
    local.onError = { if let problem = $0 as? LocalProblem { continuation.yield(problem) } }
    var updates = local.updates.makeAsyncIterator()
    var told = problems.makeAsyncIterator()
    local.startScanning([tracker.device])
    var clock = Self.start
    func hear() async throws -> LocalUpdate {
      source.give([tracker.report(of: tracker.period(at: clock), at: hands.now)])
      return try #require(await updates.next())
    }
    try await hands.pass(2)
    clock += 2000
    #expect(try await hear().event == .appeared)
    try await hands.pass(3)
    hands.set(by: 1000 * seconds)
    try await hands.pass(2)
    #expect(await told.next() == .ownerClockStepped(seconds: seconds))
    clock += 5000
    // It was not silent for a day or a year, and it is the same tracker in the same period; only what
    // its clock is compared with is another.
    let after = try await hear()
    #expect(after.event == .drift)
    #expect(abs((after.drift ?? 0) - Double(seconds)) < 1300)
    #expect(!after.state.isProvisional)
    let bounds = try #require(after.state.clock)
    #expect(bounds.low <= Double(-seconds) && Double(-seconds) <= bounds.high)
    // Silence is counted from the report, not from the time of day.
    try await hands.pass(59)
    clock += 59_000
    #expect(try await hear().event == .seen)
    try await hands.pass(62)
    let silent = try #require(await updates.next())
    #expect(silent.event == .timedOut)
    await local.stop()
    #expect(store.clockStates()[tracker.device.uuid] != nil)
  }

  @Test func whatWasLearnedIsSavedEveryTenSeconds() async throws {
    let tracker = try SimulatedTracker(1, onboarding: Self.start)
    let store = InMemoryDeviceStore(devices: [tracker.device])
    let source = ScriptedSource([])
    let hands = Hands()
    let local = LunaLocal(store: store, clock: hands.clock) { source }
    var updates = local.updates.makeAsyncIterator()
    // Long after: so that the sighting says something of the clock.
    hands.set(by: 300 * 86_400_000)
    local.startScanning([tracker.device])
    try await hands.pass(1)
    source.give([tracker.report(of: tracker.period(at: hands.now), at: hands.now)])
    _ = await updates.next()
    #expect(store.lastSightings().isEmpty)
    try await hands.untilAllLook()
    try await hands.pass(12)
    #expect(store.lastSightings()[tracker.device.uuid] != nil)
    #expect(store.clockStates()[tracker.device.uuid] != nil)
    await local.stop()
  }
}
