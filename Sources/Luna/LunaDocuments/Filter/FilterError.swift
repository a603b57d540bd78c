/// What is wrong with a filter, and where.
struct FilterError: Error, Equatable {
  /// What is wrong: `expected ) here`.
  let reason: String
  /// What to write instead; nil where the reason says it.
  var remedy: String?
  /// Characters before the place.
  let position: Int

  /// One line: what and what to do.
  var text: String { reason + (remedy.map { "; \($0)" } ?? "") }
}
