import Bluetooth
import Diagnosis
import LunaCore

extension Judgement {
  /// A backend's clock and the way of its answer are no better than this, s.
  private static let tolerance: Int64 = 5
  /// Beyond this, reports have a time that is plainly wrong, s.
  private static let limit: Int64 = 60

  /// Without one of these programs there is nothing to be switched on; a container has the clock of its host.
  private static let keepRight: Remedy =
    "\(.setClock), which needs systemd-timesyncd or chrony; of a container, on its host"

  /// `clock`.
  static func clock(_ facts: ClockFacts) -> Finding {
    guard LocationRules.isPlausible(facts.now) else {
      return Finding(
        .clock, .failed, "the clock shows \(facts.now.rfc3339), which cannot be",
        remedy: "\(.setClock); a machine without a clock of its own needs the network at its start")
    }
    let ahead = facts.secondsAhead ?? 0
    if abs(ahead) > tolerance {
      let side = ahead > 0 ? "behind" : "ahead of"
      let cause = "the clock is \(span(abs(ahead))) \(side) the backend's"
      return facts.isSynchronised == true
        ? Finding(
          .clock, .warning, cause + ", and is kept right: it may be the backend's that is wrong",
          remedy: "compare both with a third")
        : Finding(
          .clock, abs(ahead) > limit ? .failed : .warning, cause + ", and nobody keeps it right",
          remedy: keepRight)
    }
    let agrees = facts.secondsAhead == nil ? "" : "; it agrees with the backend's"
    switch facts.isSynchronised {
    case true: return Finding(.clock, .ok, "the clock is synchronised\(agrees)")
    case false:
      return Finding(
        .clock, .warning, "nobody keeps the clock right\(agrees)", remedy: keepRight)
    case nil:
      return Finding(
        .clock, facts.secondsAhead == nil ? .unknown : .ok,
        "whether somebody keeps the clock right cannot be told\(agrees)")
    }
  }

  /// A time that a person can imagine, rounded down.
  static func span(_ seconds: Int64) -> String {
    switch seconds {
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }
}
