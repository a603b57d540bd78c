/// When a tracker advertises what (PROTOCOL.md, 5).
public enum ModeSchedule {
  /// The limit below which the phase is drawn at each rotation, ms.
  public static let phaseLimit: Int64 = 192_000
  /// The interval of iBeacon frames, ms.
  public static let iBeaconInterval: Int64 = 100
  /// The interval of BLE frames, ms; up to ``frameIntervalDelay`` is added each time.
  public static let frameInterval: Int64 = 1000
  /// The most that is added to ``frameInterval``, ms.
  public static let frameIntervalDelay: Int64 = 10
  /// How long all BLE slots are connectable after a press of the button, ms.
  public static let buttonTime: Int64 = 60_000

  /// A cycle of one iBeacon and one BLE slot, ms.
  package static let cycle: Int64 = 16_000
  /// How much of a cycle the iBeacon slot takes, ms.
  package static let iBeaconTime: Int64 = 2000

  /// The slot at a time.
  ///
  /// - Parameters:
  ///   - clock: the tracker's clock, ms.
  ///   - phase: the phase drawn at the last rotation, ms, 0 to ``phaseLimit``.
  public static func slot(clock: Int64, phase: Int64) -> AdvertisingSlot {
    let time = clock.clampedAdding(phase)
    let number = floorDivide(time, cycle)
    let isIBeacon = floorRemainder(time, cycle) < iBeaconTime
    return AdvertisingSlot(
      mode: isIBeacon ? .iBeacon : .frame,
      region: Int(floorRemainder(floorDivide(time, 4 * cycle), 3)),
      isConnectable: !isIBeacon && floorRemainder(number, 4) == 0)
  }
}
