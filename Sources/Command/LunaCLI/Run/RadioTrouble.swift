import Bluetooth
import Synchronization

/// What is wrong with a radio, and whether a run that was to last for a certain time has ended with it.
final class RadioTrouble: Sendable {
  private struct State {
    var isListening = false
    var reason: String?
    var error: SourceError?
  }

  private let state = Mutex(State())

  /// Takes a state of the source.
  func note(_ change: SourceState) {
    state.withLock { state in
      switch change {
      case .recovering(let reason), .lost(let reason):
        state.isListening = false
        state.reason = reason
      case .scanning:
        state.isListening = true
        state.reason = nil
      case .starting, .paused: state.reason = nil
      case .recovery: break
      }
    }
  }

  /// Whether the radio delivers.
  var isListening: Bool { state.withLock { $0.isListening } }

  /// The time of the run is over.
  func timeIsOver() {
    state.withLock { state in
      guard let reason = state.reason else { return }
      state.error = SourceError(
        .lost, "the scan could not be brought back before the time was over: \(reason)")
    }
  }

  /// What the run has ended with; nil when all was well.
  var atTheEnd: SourceError? { state.withLock { $0.error } }
}
