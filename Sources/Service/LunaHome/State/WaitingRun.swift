/// A run that waits.
struct WaitingRun: Hashable, Sendable, Codable {
  let firing: String
  let rule: String
  let hash: String
  let cause: HomeCause
  /// The action that comes next.
  let index: Int
  var due: Int64
}
