public import Bluetooth

extension Timestamp {
  /// The moments that the u32 Unix seconds of the protocol can say, 1970-01-01 to 2106-02-07: when
  /// devices can have been onboarded, paired and seen.
  public static let wireTimes =
    Timestamp(microseconds: 0)..<Timestamp(microseconds: (Int64(UInt32.max) + 1) * 1_000_000)

  /// A moment from Unix ms, in which the protocol counts; the nearest one that fits.
  public init(unixMilliseconds: Int64) {
    let (product, overflow) = unixMilliseconds.multipliedReportingOverflow(by: 1000)
    self.init(microseconds: overflow ? (unixMilliseconds < 0 ? .min + 1 : .max) : product)
  }

  /// Whole Unix ms, rounded towards minus infinity.
  public var unixMilliseconds: Int64 {
    let quotient = microseconds / 1000
    return microseconds % 1000 < 0 ? quotient - 1 : quotient
  }
}
