/// A 48-bit Bluetooth device address (Core Specification, Vol 6, Part B, 1.3).
///
/// It says nothing about whether the address is public or random: that is ``AddressType``.
public struct BluetoothAddress: Hashable, Sendable {
  /// The address as a number below 2^48; the most significant byte is the first in text form.
  public let value: UInt64

  /// An address from its number; bits above 47 are cleared.
  public init(value: UInt64) {
    self.value = value & 0xFFFF_FFFF_FFFF
  }

  /// Reads six bytes, least significant first, as they stand in HCI and link-layer packets.
  ///
  /// - Returns: nil when fewer than six bytes follow `offset`.
  public init?(littleEndian bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, bytes.count - offset >= 6 else { return nil }
    var value: UInt64 = 0
    for index in 0..<6 { value |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
    self.value = value
  }

  /// Reads the text form `C0:FF:EE:00:00:01`, in any case, with colons or hyphens.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: some StringProtocol) {
    var value: UInt64 = 0
    var position = 0
    for byte in text.utf8 {
      if position % 3 == 2 {
        guard byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") else { return nil }
      } else {
        guard let digit = Hex.value(of: byte) else { return nil }
        value = value << 4 | UInt64(digit)
      }
      position += 1
      guard position <= 17 else { return nil }
    }
    guard position == 17 else { return nil }
    self.value = value
  }

  /// The six bytes, least significant first, as HCI packets carry them.
  public var littleEndianBytes: [UInt8] {
    (0..<6).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
  }

  /// The kind that the two most significant bits give to a random address.
  public var randomKind: RandomAddressKind? {
    switch value >> 46 {
    case 0b11: .static
    case 0b01: .resolvable
    case 0b00: .nonResolvable
    default: nil
    }
  }
}

extension BluetoothAddress: CustomStringConvertible {
  /// The text form, upper case with colons.
  public var description: String {
    var text = ""
    text.reserveCapacity(17)
    for shift in stride(from: UInt64(40), through: 0, by: -8) {
      if shift != 40 { text.append(":") }
      text += Hex.upper(UInt8(truncatingIfNeeded: value >> shift))
    }
    return text
  }
}
