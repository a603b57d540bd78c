/// What a tracker tells its owner in every frame (PROTOCOL.md, 8).
public struct TrackerStatus: RawRepresentable, Hashable, Sendable {
  /// The status byte; bit 7 is zero.
  public let rawValue: UInt8

  /// A status from its byte.
  ///
  /// - Returns: nil when the reserved bit 7 is set.
  public init?(rawValue: UInt8) {
    guard rawValue & 0x80 == 0 else { return nil }
    self.rawValue = rawValue
  }

  /// A status of these parts.
  public init(
    battery: BatteryLevel, isConnectable: Bool = false, isSeparated: Bool = false,
    isSounding: Bool = false, isClockUncertain: Bool = false, hasFault: Bool = false
  ) {
    rawValue =
      battery.rawValue | (isConnectable ? 0x04 : 0) | (isSeparated ? 0x08 : 0)
      | (isSounding ? 0x10 : 0) | (isClockUncertain ? 0x20 : 0) | (hasFault ? 0x40 : 0)
  }

  /// How full the battery is: bits 0 and 1.
  public var battery: BatteryLevel { BatteryLevel(rawValue: rawValue & 3) ?? .unknown }
  /// Whether connections are accepted now.
  public var isConnectable: Bool { rawValue & 0x04 != 0 }
  /// Whether the tracker has not met its owner for more than 30 minutes.
  public var isSeparated: Bool { rawValue & 0x08 != 0 }
  /// Whether the tracker makes a sound.
  public var isSounding: Bool { rawValue & 0x10 != 0 }
  /// Whether the tracker lost its clock and it was not set since.
  public var isClockUncertain: Bool { rawValue & 0x20 != 0 }
  /// Whether the tracker found something wrong with itself.
  public var hasFault: Bool { rawValue & 0x40 != 0 }
}
