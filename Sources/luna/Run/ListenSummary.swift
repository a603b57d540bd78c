import Bluetooth

/// What came of listening.
struct ListenSummary: Sendable {
  /// The reports that came, and those that were shown.
  let heard: UInt64
  let shown: Int
  /// What was lost, by reason.
  let dropped: [(reason: String, count: UInt64)]
  let duration: Duration
}
