public import Bluetooth

extension Timestamp {
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
