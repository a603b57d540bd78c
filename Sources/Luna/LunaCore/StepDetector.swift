import Bluetooth

/// Notices that the time of day was set: it then differs from the time that has passed.
package struct StepDetector: Sendable {
  /// What is taken for a step; slower corrections go unnoticed, as they should.
  package static let threshold: Duration = .seconds(2)

  private var offset: Int64?

  /// Has seen nothing yet.
  package init() {}

  /// Compares both clocks.
  ///
  /// - Returns: by how much the time of day was set forward since the last call; nil when it was not.
  package mutating func check(_ clock: WallClock) -> Duration? {
    let elapsed = clock.elapsed().wholeMicroseconds
    let offset = clock.now().microseconds &- elapsed
    defer { self.offset = offset }
    guard let before = self.offset else { return nil }
    let step = Duration.microseconds(offset &- before)
    return step >= StepDetector.threshold || step <= .zero - StepDetector.threshold ? step : nil
  }
}
