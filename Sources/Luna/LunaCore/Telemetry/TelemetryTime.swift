public import Bluetooth

/// When something happened: by the clock of the day where that shows a time that can be, else by the time
/// since the machine was started, until the clock is set.
public enum TelemetryTime: Hashable, Sendable {
  /// By the clock.
  case known(Timestamp)
  /// So long after the start that `boot` names.
  case sinceBoot(Duration, boot: String)
}
