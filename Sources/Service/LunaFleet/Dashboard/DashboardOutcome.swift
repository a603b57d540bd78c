/// What became of a step.
public enum DashboardOutcome: String, Sendable, CaseIterable {
  /// It was done.
  case done
  /// There is no free slot: one has to be removed first.
  case full
  /// Nothing moved.
  case nothing
}
