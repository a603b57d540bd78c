/// What became of one event of a batch.
public enum EventOutcome: Hashable, Sendable {
  /// It is stored.
  case accepted
  /// It was stored before, which is as good.
  case duplicate
  /// It is not stored. The code is one of ``EventRejection`` or of a newer backend.
  case rejected(code: String, isPermanent: Bool)

  /// A rejection by its reason.
  public static func rejected(_ reason: EventRejection) -> EventOutcome {
    .rejected(code: reason.rawValue, isPermanent: reason.isPermanent)
  }
}
