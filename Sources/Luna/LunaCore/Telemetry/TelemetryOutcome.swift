/// What became of one telemetry item.
public enum TelemetryOutcome: Hashable, Sendable {
  /// The backend has it.
  case accepted
  /// The backend had it already, which is as good.
  case duplicate
  /// The backend will never take it. The code is one of ``TelemetryRejection`` or of a newer backend.
  case rejected(code: String)
}
