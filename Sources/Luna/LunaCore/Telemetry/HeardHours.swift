public import Bluetooth

/// In which of the last 24 hours something was heard: a bit each, the newest one lowest.
public struct HeardHours: Hashable, Sendable {
  private static let mask: UInt32 = 0xFF_FFFF
  private static let microseconds: Int64 = 3_600_000_000

  /// 24 bits, the lowest for `hour`, each next one for the hour before.
  public let bits: UInt32
  /// The hour of the lowest bit, since 1970.
  public let hour: Int64

  /// Hours up to the one that a time lies in.
  public init(bits: UInt32, at time: Timestamp) {
    self.bits = bits & HeardHours.mask
    hour = HeardHours.hour(of: time)
  }

  private init(bits: UInt32, hour: Int64) {
    self.bits = bits & HeardHours.mask
    self.hour = hour
  }

  /// The number of the hour that a time lies in.
  public static func hour(of time: Timestamp) -> Int64 {
    let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: microseconds)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// When an hour begins.
  public static func beginning(of hour: Int64) -> Timestamp {
    Timestamp(microseconds: hour.multipliedReportingOverflow(by: microseconds).partialValue)
  }

  /// The same hours, seen from another one. What is too long ago, or still to come, falls out.
  public func moved(to hour: Int64) -> HeardHours {
    let (distance, overflow) = hour.subtractingReportingOverflow(self.hour)
    guard !overflow, abs(distance) < 24 else { return HeardHours(bits: 0, hour: hour) }
    return HeardHours(
      bits: distance >= 0 ? bits << UInt32(distance) : bits >> UInt32(-distance), hour: hour)
  }

  /// The hours of both, up to the later end.
  public func union(_ other: HeardHours) -> HeardHours {
    let end = max(hour, other.hour)
    return HeardHours(bits: moved(to: end).bits | other.moved(to: end).bits, hour: end)
  }

  /// How many of the 24 hours up to a time they are.
  public func count(at time: Timestamp) -> Int {
    moved(to: HeardHours.hour(of: time)).bits.nonzeroBitCount
  }
}
