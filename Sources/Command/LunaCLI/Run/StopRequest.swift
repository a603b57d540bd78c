import LunaCore
import Synchronization

/// Why a run is to end; the first reason given counts.
final class StopRequest: Sendable {
  enum Reason: Sendable, Equatable {
    /// The source has no more, `--duration` or `--count` is reached, or a key said so.
    case complete
    /// A signal asked for it.
    case signal(Int32)
    /// Nobody reads standard output any more.
    case closedPipe
    /// A service begins anew, since its configuration has changed.
    case reload
  }

  private let state = Mutex<Reason?>(nil)
  private let interrupted = Atomic(false)
  private let bell = Bell()

  /// Whether a signal asked for it: quicker to ask than ``reason``.
  var isInterrupted: Bool { interrupted.load(ordering: .relaxed) }

  /// The reason, once there is one.
  var reason: Reason? { state.withLock { $0 } }

  /// Gives a reason; returns whether it was the first.
  @discardableResult
  func give(_ reason: Reason) -> Bool {
    defer { bell.ring() }
    return state.withLock { current in
      guard current == nil else { return false }
      current = reason
      if case .signal = reason { interrupted.store(true, ordering: .relaxed) }
      return true
    }
  }

  /// Waits for a reason, at most for a time; one task at a time.
  func wait(for limit: Duration) async {
    guard reason == nil else { return }
    await bell.wait(for: limit)
  }
}
