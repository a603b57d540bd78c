import Bluetooth

/// What the peer offers; see scripts/vm/peer.py.
enum PeerContract {
  static let service = uuid(0)
  static let powerService = BluetoothUUID.bit16(0x1804)
  static let power = BluetoothUUID.bit16(0x2A07)

  /// A characteristic of the service, by its last two octets.
  enum Name: UInt64, CaseIterable {
    case short = 1
    case long, store, notify, indicate, both, deaf, refusing, secret, silent, late, garbage,
      dropping
    case state, control

    var uuid: BluetoothUUID { PeerContract.uuid(rawValue) }
  }

  static func uuid(_ number: UInt64) -> BluetoothUUID {
    .bit128(high: 0xC04F_0000_6C75_6E61, low: 0x7465_7374_0000_0000 | number)
  }

  static let longValue = (0..<512).map { UInt8(truncatingIfNeeded: $0) }

  static let properties: [Name: GATTCharacteristic.Properties] = [
    .short: .read, .long: .read, .store: [.read, .write, .writeWithoutResponse], .notify: .notify,
    .indicate: .indicate, .both: [.read, .notify, .indicate],
    .deaf: [.write, .writeWithoutResponse], .refusing: [.read, .write], .secret: .read,
    .silent: .read, .late: .read, .garbage: .read, .dropping: .read, .state: .read,
    .control: .write,
  ]

  /// What the peer does when it is written to its control characteristic.
  enum Command {
    case notify(UInt8)
    case indicate(UInt8)
    case disconnect(after: UInt8)
    case vanish(after: UInt8, seconds: UInt8)
    case mtu(UInt16)
    case sendGarbage
    case hide(seconds: UInt8)
    case indicateOctets(UInt8)

    var bytes: [UInt8] {
      switch self {
      case .notify(let count): [1, count]
      case .indicate(let count): [2, count]
      case .disconnect(let hundredths): [3, hundredths]
      case .vanish(let hundredths, let seconds): [4, hundredths, seconds]
      case .mtu(let size): [5, UInt8(truncatingIfNeeded: size), UInt8(size >> 8)]
      case .sendGarbage: [6]
      case .hide(let seconds): [7, seconds]
      case .indicateOctets(let count): [8, count]
      }
    }
  }

  /// What the peer knows of itself.
  struct State {
    let configurations: [UInt8]
    let connections: Int
    let deafLength: Int
    let mtu: Int
    /// How many commands it has carried out, modulo 65,536.
    let obeyed: Int

    init?(_ bytes: [UInt8]) {
      guard bytes.count == 11 else { return nil }
      func number(_ offset: Int) -> Int { Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 }
      configurations = Array(bytes[..<3])
      connections = number(3)
      deafLength = number(5)
      mtu = number(7)
      obeyed = number(9)
    }
  }
}
