/// Whether a gateway is in touch.
public enum GatewayState: String, CaseIterable, Sendable {
  /// It was within 150 s.
  case online
  /// It was within 15 min.
  case late
  /// It was not.
  case offline
  /// It never was.
  case never
}
