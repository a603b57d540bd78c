/// Why telemetry was lost: the words under which it is counted.
public enum TelemetryLoss {
  /// The queue was full; appearances go first, then the oldest.
  public static let full = "full"
  /// It was older than it may be, and had not been sent.
  public static let expired = "expired"
  /// The disk was full, or the queue could not be written.
  public static let storage = "storage"
  /// Nobody was signed in, and then it is not to be kept.
  public static let signedOut = "signedOut"
  /// The backend did not want it, and there were too many such.
  public static let rejected = "rejected"
  /// What it was called is no name.
  public static let key = "key"
}
