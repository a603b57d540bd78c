public import Bluetooth

/// Protocol time for tests: `epoch + speed * (real time - epoch)`. Periods, rotation delays and drift
/// are in protocol time, time-outs in real time.
public struct ProtocolTime: Hashable, Sendable {
  /// When both times are the same.
  public var epoch: Timestamp
  /// How many times faster protocol time goes.
  public var speed: Int64

  /// Protocol time, by default the same as real time.
  public init(epoch: Timestamp = Timestamp(microseconds: 0), speed: Int64 = 1) {
    self.epoch = epoch
    self.speed = max(1, speed)
  }

  /// The protocol time at a real time.
  public func callAsFunction(_ time: Timestamp) -> Timestamp {
    guard speed != 1 else { return time }
    let elapsed = Int128(time.microseconds) - Int128(epoch.microseconds)
    return Timestamp(
      microseconds: Int64(clamping: Int128(epoch.microseconds) + elapsed * Int128(speed)))
  }
}
