import Bluetooth
import LunaCore
import LunaLocal
import Synchronization
import Testing

/// While the radio does not work, silence means nothing.
@Suite struct DeafnessTests {
  private static let start: Int64 = 1_750_000_000_000

  /// Clocks that go on only when a test says so.
  private final class Hands: Sendable {
    private let passed = Mutex(Duration.zero)

    func set(_ second: Int) { passed.withLock { $0 = .seconds(second) } }

    var clock: WallClock {
      WallClock(
        now: {
          Timestamp(unixMilliseconds: DeafnessTests.start)
            .advanced(by: self.passed.withLock { $0 })
        }, elapsed: { self.passed.withLock { $0 } }, sleep: { _ in })
    }
  }

  /// Two trackers, and who listens to them.
  private final class Room {
    let trackers: [SimulatedTracker]
    private let hands: Hands
    private var session: FollowerSession

    init() throws {
      let trackers = [
        try SimulatedTracker(1, onboarding: DeafnessTests.start),
        try SimulatedTracker(2, onboarding: DeafnessTests.start),
      ]
      let hands = Hands()
      session = try FollowerSession(
        trackers.map(\.device), configuration: LocalConfiguration(), clock: hands.clock)
      self.trackers = trackers
      self.hands = hands
    }

    /// The radio does something at a second.
    func tell(_ update: ListeningUpdate, at second: Int) {
      hands.set(second)
      session.take(update)
    }

    /// What happens at a second, in which these are heard, or nothing but time passes.
    func updates(at second: Int, hearing heard: [SimulatedTracker] = []) -> [LocalUpdate] {
      hands.set(second)
      var updates: [LocalUpdate] = []
      let reports = heard.map { $0.report(at: DeafnessTests.start + Int64(second) * 1000) }
      if reports.isEmpty {
        session.tick(into: &updates)
      } else {
        session.receive(reports, into: &updates)
      }
      return updates
    }
  }

  @Test func nobodyTimesOutBeforeTheRadioHasWorkedForLongEnough() throws {
    let room = try Room()
    let (here, gone) = (room.trackers[0], room.trackers[1])
    let first = room.updates(at: 0, hearing: room.trackers)
    #expect(first.map(\.event) == [.appeared, .appeared])
    room.tell(.recovering(reason: "hci0 is gone"), at: 30)
    let meanwhile = room.updates(at: 100)
    #expect(meanwhile.isEmpty)
    room.tell(.listening, at: 500)
    // Nor does one because another one is heard.
    let again = room.updates(at: 501, hearing: [here])
    #expect(!again.contains { $0.event == .timedOut })
    let still = room.updates(at: 559)
    #expect(still.isEmpty)
    let silent = room.updates(at: 560)
    #expect(silent.map(\.event) == [.timedOut])
    #expect(silent.first?.device.uuid == gone.device.uuid)
  }

  @Test func aScanThatIsStartedAnewChangesNothing() throws {
    let room = try Room()
    _ = room.updates(at: 0, hearing: [room.trackers[0]])
    room.tell(.recovering(reason: "nothing was heard for 30 s"), at: 30)
    room.tell(.listening, at: 39)
    let before = room.updates(at: 59)
    #expect(before.isEmpty)
    let silent = room.updates(at: 60)
    #expect(silent.map(\.event) == [.timedOut])
  }
}
