import Bluetooth
import Diagnosis

/// Gets a connection to a device that is heard now and then: takes what happens and says what to do
/// next.
struct ApproachMachine: Sendable {
  /// What happens.
  enum Event: Sendable {
    /// The device was heard just now.
    case heard(HeardTarget)
    /// It was not heard for as long as it was listened for.
    case silence
    /// The attempt to connect, or what followed, failed.
    case failed(GATTError)
    /// The pause is over.
    case paused
    /// It is to stop.
    case stop
  }

  /// What is to be done.
  enum Action: Hashable, Sendable {
    /// Listen for the device: `heard` or `silence`.
    case listen
    /// Connect; `failed` when that, or what follows, does.
    case connect(GATTPeer, within: Duration)
    /// `paused`.
    case pause(Duration)
    /// Nothing comes after this.
    case finish(BuzzerError)
  }

  let limits: BuzzerLimits
  /// Attempts to connect so far.
  private(set) var attempts = 0
  private var wasHeard = false
  /// When the device was heard last.
  private var heardAt = Duration.zero
  private var lastFailure: BuzzerError?

  init(limits: BuzzerLimits) { self.limits = limits }

  /// The first action.
  func start() -> Action { .listen }

  /// How long can be listened in vain before it has to be asked again.
  func patience(at elapsed: Duration) -> Duration {
    max(.zero, min(limits.total, heardAt + limits.silence) - elapsed)
  }

  /// Takes an event.
  ///
  /// - Parameter elapsed: the time since the start.
  mutating func handle(_ event: Event, at elapsed: Duration) -> Action {
    switch event {
    case .stop: return .finish(.stopped)
    case .silence:
      guard elapsed - heardAt < limits.silence else {
        return .finish(lastFailure ?? .unheard(limits.silence))
      }
      return listen(at: elapsed)
    case .paused: return listen(at: elapsed)
    case .heard(let heard):
      wasHeard = true
      heardAt = elapsed
      guard elapsed < limits.total, heard.isConnectable != false else { return listen(at: elapsed) }
      attempts += 1
      return .connect(heard.peer, within: min(limits.connect, limits.total - elapsed))
    case .failed(let error):
      guard error.isPassing else { return .finish(BuzzerError(error)) }
      lastFailure = BuzzerError(error)
      let pauses = ControlMachine.pauses
      let pause = pauses[min(max(attempts, 1), pauses.count) - 1]
      guard pause > .zero else { return listen(at: elapsed) }
      return .pause(min(pause, max(.zero, limits.total - elapsed)))
    }
  }

  private func listen(at elapsed: Duration) -> Action {
    if elapsed < limits.total { return .listen }
    return .finish(lastFailure ?? (wasHeard ? .deaf(limits.total) : .unheard(limits.silence)))
  }
}

extension BuzzerError {
  static func unheard(_ limit: Duration) -> BuzzerError {
    BuzzerError(
      .notHeard, "nothing was heard from that address within \(limit.roundedSeconds) s",
      remedy: "trackers change their address: \(.scanOfTrackers) shows which one it has now")
  }

  static func deaf(_ limit: Duration) -> BuzzerError {
    BuzzerError(
      .notConnectable,
      "it was heard, and accepted no connections within \(limit.roundedSeconds) s",
      remedy: "it may be connected to its owner; wait, and try again")
  }
}
