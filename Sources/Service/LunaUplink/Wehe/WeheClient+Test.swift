public import UplinkProtocol

extension WeheClient {
  /// Makes both replays of a test, one after the other.
  ///
  /// - Parameters:
  ///   - plan: the replay of either kind; whether it is the control, and whether it is the last one.
  ///   - isOriginalFirst: what a coin says.
  /// - Returns: nil for a replay that was not made.
  public func test(
    isOriginalFirst: Bool, clock: any Clock<Duration> = ContinuousClock(),
    _ plan: (_ isControl: Bool, _ isLast: Bool) -> ReplayPlan
  ) async -> (original: ReplayRecord?, control: ReplayRecord?) {
    var test = WeheTest(isOriginalFirst: isOriginalFirst)
    var records: [Bool: ReplayRecord] = [:]
    var actions = test.take(.begin)
    while let action = actions.popLast() {
      switch action {
      case .replay(let isControl, let isLast):
        let record = await replay(plan(isControl, isLast))
        records[isControl] = record
        actions = test.take(.ended(record.outcome))
      case .wait(let seconds):
        progress(.queued)
        do {
          try await clock.sleep(for: .seconds(seconds))
          actions = test.take(.timeIsOver)
        } catch {
          actions = test.take(.cancel)
        }
      case .finish(let original, let control):
        return (
          record(original, records[false]), record(control, records[true])
        )
      }
    }
    preconditionFailure("a test without an end")
  }

  /// The record of a replay; one that was cancelled while the address was busy has another outcome than its
  /// last try.
  private func record(_ outcome: ReplayOutcome?, _ record: ReplayRecord?) -> ReplayRecord? {
    guard let outcome else { return nil }
    return record?.outcome == outcome ? record : ReplayRecord(outcome)
  }
}
