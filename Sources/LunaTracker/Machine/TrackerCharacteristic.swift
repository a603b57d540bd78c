public import Bluetooth

/// The characteristics that a tracker serves (PROTOCOL.md, 13).
public enum TrackerCharacteristic: CaseIterable, Hashable, Sendable {
  /// Tx Power Level of the Tx Power service: read.
  case txPowerLevel
  /// Info of the Luna service: read.
  case info
  /// Onboard: read, write, indicate.
  case onboard
  /// Challenge: read.
  case challenge
  /// Control: write, indicate.
  case control
  /// The non-owner sound service's: write, indicate.
  case nonOwnerSound

  /// The service that it belongs to.
  public var service: BluetoothUUID {
    switch self {
    case .txPowerLevel: .bit16(0x1804)
    case .info, .onboard, .challenge, .control: TrackerCharacteristic.luna(0)
    case .nonOwnerSound: .bit128(high: 0x1519_0001_12F4_C226, low: 0x88ED_2AC5_579F_2A85)
    }
  }

  /// Its UUID.
  public var uuid: BluetoothUUID {
    switch self {
    case .txPowerLevel: .bit16(0x2A07)
    case .info: TrackerCharacteristic.luna(1)
    case .onboard: TrackerCharacteristic.luna(2)
    case .challenge: TrackerCharacteristic.luna(3)
    case .control: TrackerCharacteristic.luna(4)
    case .nonOwnerSound: .bit128(high: 0x8E0C_0001_1D68_FB92, low: 0xBF61_4837_7421_680E)
    }
  }

  /// Whether it can be read.
  public var isReadable: Bool {
    switch self {
    case .txPowerLevel, .info, .onboard, .challenge: true
    case .control, .nonOwnerSound: false
    }
  }

  /// Whether it can be written, and indicates.
  public var isWritable: Bool {
    switch self {
    case .onboard, .control, .nonOwnerSound: true
    case .txPowerLevel, .info, .challenge: false
    }
  }

  private static func luna(_ number: UInt64) -> BluetoothUUID {
    .bit128(high: 0x38EB_0000_FC56_5CB4 | number << 32, low: 0xA0F2_DAD2_99D5_501D)
  }
}
