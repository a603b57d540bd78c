import Bluetooth
import LunaCore
import LunaLocal
import Synchronization
import Testing

struct StepDetectorTests {
  /// The clocks of a machine, moved by hand.
  private final class Hands: Sendable {
    private let state = Mutex((now: Int64(1_750_000_000_000_000), elapsed: Duration.seconds(1000)))

    /// Time passes; the time of day goes on by so much more or less.
    func pass(_ duration: Duration, settingBy step: Duration = .zero) {
      state.withLock {
        $0.elapsed += duration
        $0.now += Self.microseconds(duration) + Self.microseconds(step)
      }
    }

    var clock: WallClock {
      WallClock(
        now: { Timestamp(microseconds: self.state.withLock { $0.now }) },
        elapsed: { self.state.withLock { $0.elapsed } }, sleep: { _ in })
    }

    private static func microseconds(_ duration: Duration) -> Int64 {
      duration.components.seconds * 1_000_000
        + duration.components.attoseconds / 1_000_000_000_000
    }
  }

  private let hands = Hands()

  @Test func timeThatPassesIsNoStep() {
    var detector = StepDetector()
    #expect(detector.check(hands.clock) == nil)
    for duration in [Duration.seconds(1), .milliseconds(1), .seconds(86_400), .zero] {
      hands.pass(duration)
      #expect(detector.check(hands.clock) == nil)
    }
  }

  @Test(arguments: [
    Duration.seconds(-86_400), .seconds(365 * 86_400), .seconds(2), .seconds(-2),
    .microseconds(-2_000_001),
  ])
  func everyStepIsToldOnce(step: Duration) {
    var detector = StepDetector()
    #expect(detector.check(hands.clock) == nil)
    hands.pass(.seconds(1), settingBy: step)
    #expect(detector.check(hands.clock) == step)
    hands.pass(.seconds(1))
    #expect(detector.check(hands.clock) == nil)
    hands.pass(.seconds(1), settingBy: .zero - step)
    #expect(detector.check(hands.clock) == .zero - step)
  }

  /// As time services correct a clock that is almost right.
  @Test func slowCorrectionsAreNone() {
    var detector = StepDetector()
    for _ in 0..<10_000 {
      hands.pass(.seconds(1), settingBy: .microseconds(500))
      #expect(detector.check(hands.clock) == nil)
    }
    hands.pass(.seconds(1), settingBy: .milliseconds(1999))
    #expect(detector.check(hands.clock) == nil)
  }

  /// A machine that slept: both clocks went on.
  @Test func sleepIsNoStep() {
    var detector = StepDetector()
    _ = detector.check(hands.clock)
    hands.pass(.seconds(8 * 3600))
    #expect(detector.check(hands.clock) == nil)
  }
}
