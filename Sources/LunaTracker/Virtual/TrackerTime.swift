/// The time that trackers go by: the host's, or for tests a faster one,
/// `epoch + speed * (real time - epoch)`.
public struct TrackerTime: Hashable, Sendable {
  /// When both times are the same, Unix ms.
  public let epoch: Int64
  /// How many times faster the trackers' time goes.
  public let speed: Int64

  /// The host's time.
  public static let real = TrackerTime(epoch: 0, speed: 1)

  /// A time; speed is brought into 1 to ``TrackerClock/maximumSpeed``.
  public init(epoch: Int64, speed: Int64) {
    self.epoch = epoch
    self.speed = min(max(speed, 1), TrackerClock.maximumSpeed)
  }

  /// The trackers' time at a real time, both Unix ms.
  public func time(at real: Int64) -> Int64 {
    let difference = Int128(real) - Int128(epoch)
    return Int64(clamping: Int128(epoch) + difference * Int128(speed))
  }
}
