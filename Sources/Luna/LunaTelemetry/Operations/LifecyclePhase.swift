/// Something that happens to a program and may end what it is doing.
public enum LifecyclePhase: Hashable, Sendable, CaseIterable {
  /// The machine goes to sleep. That it has is noticed by itself.
  case suspend
  /// The program begins anew with another configuration.
  case reload
  /// The program ends.
  case shutdown
}
