/// A test of Wehe's: two replays, an original and a control, one after the other (UPLINK.md, 5.4, 5.5). A coin says
/// which is first.
public struct WeheTest: Sendable {
  /// What happens to a test.
  public enum Event: Hashable, Sendable {
    /// It begins.
    case begin
    /// A replay has ended.
    case ended(ReplayOutcome)
    /// The time that was waited for is over.
    case timeIsOver
    /// Somebody wants it to end; a replay that runs says itself when it has ended.
    case cancel
  }

  /// What is to be done for a test.
  public enum Action: Hashable, Sendable {
    /// Make a replay.
    case replay(isControl: Bool, isLast: Bool)
    /// Wait so many seconds; then time is over.
    case wait(Int)
    /// It has ended; nil for a replay that was not made.
    case finish(original: ReplayOutcome?, control: ReplayOutcome?)
  }

  private enum State {
    case idle, replay, wait, closed
  }

  /// A server makes one replay for an address at a time. So often is asked whether it is free.
  private static let tries = 5
  /// What is waited between two tries, s.
  private static let pause = 30

  private let isOriginalFirst: Bool
  private var state = State.idle
  private var tries = 0
  private var outcomes: [ReplayOutcome] = []

  /// A test.
  public init(isOriginalFirst: Bool) { self.isOriginalFirst = isOriginalFirst }

  /// Takes an event.
  public mutating func take(_ event: Event) -> [Action] {
    switch (state, event) {
    case (.idle, .begin), (.wait, .timeIsOver): return [replay()]
    case (.replay, .ended(let outcome)): return end(outcome)
    case (.wait, .cancel):
      outcomes.append(.failed(ReplayError(.cancelled)))
      return [finish()]
    default: return []
    }
  }

  private mutating func replay() -> Action {
    state = .replay
    tries += 1
    let isFirst = outcomes.isEmpty
    return .replay(isControl: isFirst != isOriginalFirst, isLast: !isFirst)
  }

  private mutating func end(_ outcome: ReplayOutcome) -> [Action] {
    let failure: ReplayError.Kind? =
      switch outcome {
      case .finished: nil
      case .failed(let error): error.kind
      }
    // Once data has gone, the address is this test's own.
    if failure == .addressBusy, outcomes.isEmpty, tries < WeheTest.tries {
      state = .wait
      return [.wait(WeheTest.pause)]
    }
    outcomes.append(outcome)
    // A port that only one of the two reaches is what the test looks for.
    let goesOn = outcomes.count < 2 && (failure == nil || failure == .blocked)
    return [goesOn ? replay() : finish()]
  }

  private mutating func finish() -> Action {
    state = .closed
    let (first, second) = (outcomes.first, outcomes.dropFirst().first)
    return isOriginalFirst
      ? .finish(original: first, control: second) : .finish(original: second, control: first)
  }
}
