/// Which period a tracker shows, and what it remembers of it (PROTOCOL.md, 4).
public enum Rotation {
  /// The number of periods that flash may be behind, and that a tracker skips when it lost its clock.
  public static let storeStep: UInt32 = 4

  /// The period b on air.
  ///
  /// - Parameters:
  ///   - clock: the tracker's clock, ms.
  ///   - delay: the delay d drawn for the target period, ms, 0 to ``Period/rotationDelayLimit``.
  ///   - minimumPeriod: the lowest period that may be shown.
  public static func periodOnAir(clock: Int64, delay: Int64, minimumPeriod: UInt32) -> UInt32 {
    let target = floorDivide(clock, Period.milliseconds)
    let isDue = floorRemainder(clock, Period.milliseconds) >= delay
    return max(UInt32(clamping: isDue ? target : target - 1), minimumPeriod)
  }

  /// Whether `period` must be in flash before its first frame.
  public static func mustStore(_ period: UInt32, stored: UInt32) -> Bool {
    UInt64(period) >= UInt64(stored) + UInt64(storeStep)
  }
}
