import Bluetooth

/// What came of listening.
package struct ListenSummary: Sendable {
  /// The reports that came, and those that were shown.
  package let heard: UInt64
  package let shown: Int
  /// What was lost, by reason.
  package let dropped: [(reason: String, count: UInt64)]
  package let duration: Duration

  package init(
    heard: UInt64, shown: Int, dropped: [(reason: String, count: UInt64)], duration: Duration
  ) {
    self.heard = heard
    self.shown = shown
    self.dropped = dropped
    self.duration = duration
  }
}
