/// What became of entries, to be written down.
package struct Settlement: Hashable, Sendable {
  /// Where they stand.
  package enum State: String, Sendable {
    case waiting, sent, failed
  }

  package let ids: [Int64]
  package let state: State
  /// Why they are not out.
  package let reason: String
  /// When they go out next, µs since 1970.
  package let due: Int64
  /// When it was.
  package let at: Int64
  /// Whether they were tried.
  package let isAttempt: Bool
}
