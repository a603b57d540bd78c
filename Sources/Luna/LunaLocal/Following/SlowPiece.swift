import LunaProtocol

/// Identifiers that are still to be derived for the index, and take long: periods of one chunk.
struct SlowPiece {
  /// The number of the device.
  let device: UInt32
  let sequence: UInt8
  let periods: PeriodRange
}
