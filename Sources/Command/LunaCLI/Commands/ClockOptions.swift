import Bluetooth
import CommandSpec
import LunaDocuments
import LunaProtocol

/// Simulated time, for tests: on commands that listen and on `tracker`.
struct ClockOptions: Sendable {
  var speed: Int64 = 1
  var epoch: GivenTime?
  /// When the command began: all parts of it mean the same moment by `now` and `24h`.
  private let start = Timestamp.now

  static var group: OptionGroup<ClockOptions> {
    OptionGroup(
      "Simulated time",
      [
        .value(
          "speed", "N", "Run protocol time N times faster; needs --epoch", \.speed,
          .integer(1...ProtocolTime.maximumSpeed)),
        .value(
          "epoch", "TIME",
          ZoneOptions.help(
            "When protocol time equals real time, the same for all programs of a test"), \.epoch,
          .time
        ),
      ]
    ).fromEnvironment("LUNA")
  }

  /// Refuses a speed without an epoch, as two programs would not agree on the time, and an epoch that clocks never
  /// showed, or twice.
  func check(_ zone: ZoneOptions) throws(ValueProblem) {
    guard speed == 1 || epoch != nil else {
      throw ValueProblem(
        "--speed needs --epoch", remedy: "add --epoch TIME, the same for all programs of a test")
    }
    guard let epoch else { return }
    do throws(GivenTime.Problem) {
      _ = try epoch.moment(at: start, in: zone.givenIn)
    } catch {
      throw ValueProblem(
        "--epoch \(epoch.text) \(error.reason)", remedy: "\(error.remedy), or use --utc")
    }
  }

  /// How protocol time goes, with an epoch that ``check(_:)`` took.
  func time(_ zone: ZoneOptions) -> ProtocolTime {
    let moment = try? epoch?.moment(at: start, in: zone.givenIn)
    return ProtocolTime(epoch: moment ?? Timestamp(microseconds: 0), speed: speed)
  }
}
