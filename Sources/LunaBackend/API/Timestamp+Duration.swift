import Bluetooth

extension Timestamp {
  /// The moment some time later.
  func advanced(by duration: Duration) -> Timestamp {
    let (seconds, attoseconds) = duration.components
    return Timestamp(
      microseconds: microseconds + seconds * 1_000_000 + attoseconds / 1_000_000_000_000)
  }
}
