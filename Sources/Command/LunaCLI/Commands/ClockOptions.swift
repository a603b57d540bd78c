import Bluetooth
import CommandSpec
import LunaProtocol

/// Simulated time, for tests: on commands that listen and on `tracker`.
struct ClockOptions: Sendable {
  var speed: Int64 = 1
  var epoch: Timestamp?

  static var group: OptionGroup<ClockOptions> {
    OptionGroup(
      "Simulated time",
      [
        .value(
          "speed", "N", "Run protocol time N times faster; needs --epoch", \.speed,
          .integer(1...ProtocolTime.maximumSpeed)),
        .value(
          "epoch", "TIME",
          "When protocol time equals real time (2026-01-02T03:04:05Z, or Unix seconds)", \.epoch,
          .moment
        ),
      ]
    ).fromEnvironment("LUNA")
  }

  /// Refuses a speed without an epoch: two programs would not agree on the time.
  func check() throws(ValueProblem) {
    guard speed == 1 || epoch != nil else {
      throw ValueProblem(
        "--speed needs --epoch", remedy: "add --epoch TIME, the same for all programs of a test")
    }
  }

  /// How protocol time goes.
  var time: ProtocolTime {
    ProtocolTime(epoch: epoch ?? Timestamp(microseconds: 0), speed: speed)
  }
}
