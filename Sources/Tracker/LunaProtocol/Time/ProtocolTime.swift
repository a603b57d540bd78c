public import Bluetooth

/// Protocol time for tests: `epoch + speed * (real time - epoch)`. Periods, rotation delays and drift
/// are in protocol time, and so is when devices are heard; time-outs are in real time.
public struct ProtocolTime: Hashable, Sendable {
  /// The largest ``speed``: higher ones are brought down to it.
  public static let maximumSpeed: Int64 = 100_000
  /// Protocol time that is the same as real time.
  public static let real = ProtocolTime()

  /// When both times are the same.
  public let epoch: Timestamp
  /// How many times faster protocol time goes.
  public let speed: Int64

  /// Protocol time, by default the same as real time; speed is brought into 1 to ``maximumSpeed``.
  public init(epoch: Timestamp = Timestamp(microseconds: 0), speed: Int64 = 1) {
    self.epoch = epoch
    self.speed = min(max(speed, 1), ProtocolTime.maximumSpeed)
  }

  /// The protocol time at a real time.
  public func callAsFunction(_ time: Timestamp) -> Timestamp {
    guard speed != 1 else { return time }
    let elapsed = Int128(time.microseconds) - Int128(epoch.microseconds)
    return Timestamp(
      microseconds: Int64(clamping: Int128(epoch.microseconds) + elapsed * Int128(speed)))
  }

  /// The protocol time at a real time, both Unix ms.
  public func time(at real: Int64) -> Int64 {
    guard speed != 1 else { return real }
    let epoch = Int128(epoch.microseconds) / 1000
    return Int64(clamping: epoch + (Int128(real) - epoch) * Int128(speed))
  }
}
