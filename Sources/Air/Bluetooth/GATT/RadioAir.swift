/// What kind of air a radio hears.
public enum RadioAir: Hashable, Sendable {
  /// What is around.
  case real
  /// Made up: who passes on what was heard has to say so.
  case simulated
  /// Recorded: time is that of the reports. At the pace at which it was recorded, or as fast as it can
  /// be read.
  case recorded(inRealTime: Bool)

  /// Whether the time is that of a recording.
  public var isRecorded: Bool { if case .recorded = self { true } else { false } }

  /// Whether time goes on while nothing is heard.
  public var hasTime: Bool { self != .recorded(inRealTime: false) }
}
