public import Bluetooth
import LunaProtocol

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
    case .info, .onboard, .challenge, .control: LunaService.uuid
    case .nonOwnerSound: .bit128(high: 0x1519_0001_12F4_C226, low: 0x88ED_2AC5_579F_2A85)
    }
  }

  /// Its UUID.
  public var uuid: BluetoothUUID {
    switch self {
    case .txPowerLevel: .bit16(0x2A07)
    case .info: LunaService.info
    case .onboard: LunaService.onboard
    case .challenge: LunaService.challenge
    case .control: LunaService.control
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
}
