import Bluetooth

/// How a radio is to listen at present.
public enum ScanDuty: String, Sendable {
  /// All the time.
  case full
  /// Now and then, and passively where that can be: ``listening`` of every ``cycle``.
  case sparse

  /// How long a sparse scan listens. A tracker nearby sends at least once a second (PROTOCOL.md, 5).
  public static let listening: Duration = .seconds(3)
  /// From one beginning of listening to the next.
  public static let cycle: Duration = .seconds(12)

  /// When a radio listens so.
  var rhythm: ScanRhythm {
    self == .full ? .steady : ScanRhythm(listening: ScanDuty.listening, of: ScanDuty.cycle)
  }
}
