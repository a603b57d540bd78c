import Bluetooth
import LunaCore
import LunaLocal
import Synchronization
import Testing

/// The time of day is set while trackers are followed, and one is heard before anybody has looked at the clocks.
@Suite struct FollowerSessionTests {
  private static let start: Int64 = 1_750_000_000_000

  /// A time of day that a test sets, and a clock that stands.
  private final class Hands: Sendable {
    private let time = Mutex(FollowerSessionTests.start)

    func set(by seconds: Int64) { time.withLock { $0 += 1000 * seconds } }

    var clock: WallClock {
      WallClock(
        now: { Timestamp(unixMilliseconds: self.time.withLock { $0 }) }, elapsed: { .zero },
        sleep: { _ in })
    }
  }

  @Test(arguments: [-18_000, 18_000] as [Int64])
  func nobodyTimesOutNorGetsAnotherClock(seconds: Int64) throws {
    let trackers = [
      try SimulatedTracker(1, onboarding: Self.start),
      try SimulatedTracker(2, onboarding: Self.start),
    ]
    let hands = Hands()
    var session = try FollowerSession(
      trackers.map(\.device), configuration: LocalConfiguration(), clock: hands.clock)
    var updates: [LocalUpdate] = []
    session.receive(trackers.map { $0.report(at: Self.start) }, into: &updates)
    #expect(updates.map(\.event) == [.appeared, .appeared])
    hands.set(by: seconds)
    updates = []
    let period = trackers[0].period(at: Self.start)
    let report = trackers[0].report(of: period, at: Self.start + 1000 * seconds)
    session.receive([report], into: &updates)
    #expect(updates.map(\.event) == [.drift])
    #expect(updates.allSatisfy { !$0.state.isProvisional })
    #expect(session.follower.takeProblems() == [.ownerClockStepped(seconds: seconds)])
  }

  /// Of each tracker one sighting a minute is kept.
  @Test func aClockThatIsSetBackLeavesNoGapInWhatIsKept() throws {
    let tracker = try SimulatedTracker(1, onboarding: Self.start)
    let follower = try TrackerFollower([tracker.device])
    _ = follower.hear(tracker.report(at: Self.start))
    #expect(follower.takeSightings().count == 1)
    follower.ownerClockStepped(by: .seconds(-18_000))
    let period = tracker.period(at: Self.start)
    for second in [30, 61] as [Int64] {
      let time = Self.start + 1000 * (second - 18_000)
      _ = follower.hear(tracker.report(of: period, at: time))
    }
    #expect(follower.takeSightings().count == 1)
  }
}
