/// How much a finder listens.
public enum FinderDuty: String, CaseIterable, Sendable {
  /// Sparsely until something of Luna is heard, then fully until that is silent for 30 s.
  case auto
  /// Always.
  case full
  /// For a few seconds of every twelve, without sending anything.
  case sparse
}
