import Bluetooth

/// How an advertiser comes by its address.
enum AddressKind: Sendable {
  /// Assigned by the maker.
  case `public`
  /// Random, for as long as the maker likes.
  case `static`
  /// Random, as if made with an identity resolving key.
  case resolvable

  var addressType: AddressType { self == .public ? .public : .random }

  /// A new address of this kind.
  func draw(using generator: inout SplitMix64) -> BluetoothAddress {
    let value = generator.next() & 0xFFFF_FFFF_FFFF
    switch self {
    // A prefix that is not the group or local kind, so that it looks like an assigned one.
    case .public: return BluetoothAddress(value: value & 0xFCFF_FFFF_FFFF)
    case .static: return BluetoothAddress(value: value | 0xC000_0000_0000)
    case .resolvable:
      return BluetoothAddress(value: value & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000)
    }
  }
}
