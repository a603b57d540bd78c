/// What becomes of an operation that begins while another one of the same name is open.
public enum DuplicateRule: Hashable, Sendable, CaseIterable {
  /// The open one is dropped.
  case replace
  /// The new one is ignored.
  case keep
  /// Both run, under one key; the one that began first is finished first.
  case unique
}
