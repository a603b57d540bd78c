import Bluetooth
import LunaCore
import LunaProtocol
import LunaTracker

extension JSONFieldWriter {
  /// What anyone may know of a tracker.
  mutating func tracker(_ name: String, _ record: TrackerRecord) {
    string("tracker", name)
    string("state", record.state.name)
    guard let ownership = record.ownership else { return }
    string("device", ownership.uuid.description)
    string(
      "onboardingTimestamp",
      Timestamp(microseconds: Int64(ownership.onboardingTimestamp) * 1_000_000).rfc3339)
    if record.isClockUncertain { boolean("clockUncertain", true) }
  }
}

extension OnboardingState {
  /// The word on the command line.
  var name: String {
    switch self {
    case .factory: "factory"
    case .keyed: "keyed"
    case .locked: "locked"
    }
  }
}
