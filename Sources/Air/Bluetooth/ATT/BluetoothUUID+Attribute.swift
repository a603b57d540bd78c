extension BluetoothUUID {
  /// The bytes of an attribute's type: 2 or 16, least significant first. The Attribute Protocol has
  /// no room for 32 bits; such a UUID is written in full (Core Specification, Vol 3, Part F, 3.2.1).
  public var attributeOctets: [UInt8] {
    switch self {
    case .bit16(let value): value.octets
    case .bit32(let value):
      BluetoothUUID.octets(
        high: UInt64(value) << 32 | 0x1000, low: 0x8000_0080_5F9B_34FB)
    case .bit128(let high, let low): BluetoothUUID.octets(high: high, low: low)
    }
  }

  private static func octets(high: UInt64, low: UInt64) -> [UInt8] {
    [low, high].flatMap { half in
      (0..<8).map { UInt8(truncatingIfNeeded: half >> UInt64(8 * $0)) }
    }
  }

  /// The same UUID in the shortest form: two peers may write one UUID in different widths.
  public var shortest: BluetoothUUID { assigned16.map { .bit16($0) } ?? self }
}
