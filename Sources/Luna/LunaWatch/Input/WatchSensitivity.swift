/// How soon there is an alarm.
public enum WatchSensitivity: String, CaseIterable, Sendable {
  /// After 90 minutes.
  case low
  /// After an hour.
  case medium
  /// After half an hour.
  case high

  /// How long a tracker has to be there before there is an alarm, s.
  var seconds: Int {
    switch self {
    case .low: 90 * 60
    case .medium: 60 * 60
    case .high: 30 * 60
    }
  }
}
