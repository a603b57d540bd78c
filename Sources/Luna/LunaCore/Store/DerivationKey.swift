public import LunaProtocol

/// Which derived identifiers are meant.
public struct DerivationKey: Hashable, Sendable {
  /// Of which device.
  public let device: DeviceUUID
  /// Of which of the device's sequences: Find My accessories have two. The deriver numbers them.
  public let sequence: UInt8
  /// Of which periods.
  public let periods: PeriodRange

  /// The identifiers of some periods of a device.
  public init(device: DeviceUUID, sequence: UInt8 = 0, periods: PeriodRange) {
    self.device = device
    self.sequence = sequence
    self.periods = periods
  }
}
