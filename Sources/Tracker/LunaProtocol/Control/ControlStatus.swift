/// What a tracker answers to a control package (PROTOCOL.md, 12.2).
public enum ControlStatus: UInt8, Sendable {
  /// Executed.
  case done = 0
  /// Not from the owner of this tracker, or not for this connection.
  case unauthorized = 1
  /// The counter was used.
  case stale = 2
  /// Not for a period near the one on air.
  case wrongPeriod = 3
  /// Not keyed, or the format, command or argument is not supported.
  case unsupported = 4
  /// Starting or updating.
  case busy = 5
  /// Too many commands.
  case limited = 6
  /// Not 44 bytes.
  case length = 7
}
