/// When a device with a right clock changes its identifier: number n is on the air from
/// `origin + n * period` to `delayLimit` after `origin + (n + 1) * period`. All in ms.
public struct RotationSchedule: Hashable, Sendable {
  /// When number 0 begins, Unix ms.
  public let origin: Int64
  /// The time from one identifier to the next, ms; positive.
  public let period: Int64
  /// The limit below which a device delays each change, ms.
  public let delayLimit: Int64

  /// LunaTrackers, which count from the Unix epoch (PROTOCOL.md, 4).
  public static let luna = RotationSchedule(
    origin: 0, period: Period.milliseconds, delayLimit: Period.rotationDelayLimit)

  /// A schedule; a period below 1 ms is taken as 1 ms.
  public init(origin: Int64, period: Int64, delayLimit: Int64) {
    self.origin = origin
    self.period = max(1, period)
    self.delayLimit = max(0, delayLimit)
  }

  /// The number at a time, which is 0 before the origin and `UInt32.max` at the end of counting.
  ///
  /// - Parameter milliseconds: Unix time, ms.
  public func number(at milliseconds: Int64) -> UInt32 {
    UInt32(clamping: floorDivide(milliseconds.clampedSubtracting(origin), period))
  }

  /// When a number comes on the air, Unix ms.
  public func start(of number: UInt32) -> Int64 {
    origin.clampedAdding(Int64(number).clampedMultiplied(by: period))
  }

  /// The end of the time in which a device with an exact clock may show a number, Unix ms: the
  /// first millisecond after it.
  public func windowEnd(of number: UInt32) -> Int64 {
    start(of: number).clampedAdding(period).clampedAdding(delayLimit)
  }
}
