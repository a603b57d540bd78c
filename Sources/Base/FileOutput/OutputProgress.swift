import Synchronization

/// How writing goes on where a reader may stand still for as long as it likes.
package final class OutputProgress: Sendable {
  /// Of standard output and standard error.
  package static let ofThisProcess = OutputProgress()

  private let underWay = Atomic(0)
  private let steps = Atomic(0)

  package init() {}

  /// Where writing is: as long as this stays the same, nobody reads. Nil when nothing is being written.
  package var place: Int? {
    underWay.load(ordering: .relaxed) > 0 ? steps.load(ordering: .relaxed) : nil
  }

  /// A write begins.
  package func begin() { underWay.wrappingAdd(1, ordering: .relaxed) }

  /// Some of it is written.
  package func advance() { steps.wrappingAdd(1, ordering: .relaxed) }

  /// It is over, however it ended.
  package func end() {
    advance()
    underWay.wrappingSubtract(1, ordering: .relaxed)
  }
}
