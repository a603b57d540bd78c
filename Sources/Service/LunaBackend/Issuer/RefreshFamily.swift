import LunaCrypto

/// The tokens that followed one another since a sign-in: which of them may be refreshed (FLEET.md, 2). A
/// pure machine.
///
/// Each refresh makes a new token and uses the old one up. The one before is good again until its
/// successor, or an access token that came with that, is used: the answer with the successor may have been
/// lost. Any other token that was used up ends the family, for two hold it then.
struct RefreshFamily: Hashable, Sendable {
  /// What is to be done with a token that somebody presents.
  enum Verdict: Hashable, Sendable {
    /// It gets a successor.
    case rotate
    /// It gets another successor in the place of one that nobody has used.
    case repeatRotation
    /// Two hold it: all tokens of the family end.
    case reuse
  }

  /// Counts the successors.
  private(set) var generation: Int64
  /// The digest of the newest token.
  private(set) var current: [UInt8]
  /// The digest of the one before it; nil for the first one.
  private(set) var previous: [UInt8]?
  /// Whether the newest token, or an access token that came with it, was used: ``OwnIssuer`` keeps that with the row.
  private(set) var isCurrentUsed: Bool

  init(generation: Int64, current: [UInt8], previous: [UInt8]?, isCurrentUsed: Bool) {
    // It may come from a damaged row.
    self.generation = min(generation, .max - 1)
    self.current = current
    self.previous = previous
    self.isCurrentUsed = isCurrentUsed
  }

  /// The first token after a sign-in.
  init(first token: [UInt8]) {
    self.init(generation: 1, current: token, previous: nil, isCurrentUsed: false)
  }

  /// Judges a token of this family.
  ///
  /// - Parameter token: its digest.
  func verdict(on token: [UInt8]) -> Verdict {
    if constantTimeEqual(token.span, current.span) { return .rotate }
    if let previous, !isCurrentUsed, constantTimeEqual(token.span, previous.span) {
      return .repeatRotation
    }
    return .reuse
  }

  /// Notes the successor of a token that was judged to get one.
  mutating func note(_ successor: [UInt8], after verdict: Verdict) {
    if verdict == .rotate { previous = current }
    current = successor
    generation += 1
    isCurrentUsed = false
  }
}
