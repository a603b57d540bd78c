/// The periods of key rotation (PROTOCOL.md, 2 to 4), counted from the Unix epoch.
public enum Period {
  /// The exponent K that onboarding announces: a period has 2^K seconds.
  public static let exponent: UInt8 = 10
  /// The length of a period, s.
  public static let seconds: Int64 = 1 << 10
  /// The length P of a period, ms.
  public static let milliseconds: Int64 = 1_024_000
  /// The limit J below which a tracker delays each rotation, ms.
  public static let rotationDelayLimit: Int64 = 204_000

  /// The period at a time, which is 0 before the epoch and `UInt32.max` at the end of counting.
  ///
  /// - Parameter milliseconds: Unix time, ms.
  public static func number(at milliseconds: Int64) -> UInt32 {
    UInt32(clamping: floorDivide(milliseconds, Period.milliseconds))
  }

  /// When a period starts, Unix ms.
  public static func start(of period: UInt32) -> Int64 { Int64(period) * milliseconds }

  /// The end of the time in which a tracker with an exact clock may show a period, Unix ms: the
  /// first millisecond after it.
  static func windowEnd(of period: UInt32) -> Int64 {
    start(of: period) + milliseconds + rotationDelayLimit
  }
}
