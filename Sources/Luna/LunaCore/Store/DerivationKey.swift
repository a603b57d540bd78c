public import LunaProtocol

/// Which derived identifiers are meant.
public struct DerivationKey: Hashable, Sendable {
  /// The device whose identifiers they are.
  public let device: DeviceUUID
  /// Of which of the device's sequences: Find My accessories have two. The deriver numbers them.
  public let sequence: UInt8
  /// The periods whose identifiers they are, both ends included.
  public let periods: PeriodRange

  /// The identifiers of some periods of a device.
  public init(device: DeviceUUID, sequence: UInt8 = 0, periods: PeriodRange) {
    self.device = device
    self.sequence = sequence
    self.periods = periods
  }
}
