import Bluetooth
import LunaCore

extension CommandStatus.State {
  /// The state that follows from what is kept.
  ///
  /// - Parameter outcome: what a gateway said; empty when none did.
  init(
    outcome: String, isCancelled: Bool, expiresAt: Timestamp, leasedUntil: Timestamp,
    at time: Timestamp
  ) {
    if outcome == CommandConfirmation.Outcome.done.rawValue {
      self = .confirmed
    } else if isCancelled {
      self = .cancelled
    } else if outcome == CommandConfirmation.Outcome.failed.rawValue {
      self = .failed
    } else if expiresAt <= time {
      self = .expired
    } else {
      self = leasedUntil > time ? .offered : .queued
    }
  }
}
