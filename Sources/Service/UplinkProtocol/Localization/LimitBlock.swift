/// How fast the runs of a block were, bytes each second.
package struct LimitBlock: Hashable, Sendable {
  /// One original to the first server.
  package let alone: Double
  /// One to each server at once, together.
  package let together: Double
  /// Of that, the one to the first server.
  package let first: Double
  /// Two to the first server at once, together.
  package let twice: Double
  /// One control to each server at once, together.
  package let control: Double

  /// A block.
  package init(alone: Double, together: Double, first: Double, twice: Double, control: Double) {
    self.alone = alone
    self.together = together
    self.first = first
    self.twice = twice
    self.control = control
  }
}
