import Bluetooth

/// The UUID (RFC 9562) that a tracker gives itself at each onboarding (PROTOCOL.md, 14).
public struct DeviceUUID: Hashable, Sendable {
  /// The number of bytes.
  public static let byteCount = 16

  /// Bytes 0 to 7 as a number, the first one most significant.
  public let high: UInt64
  /// Bytes 8 to 15, likewise.
  public let low: UInt64

  /// A UUID from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A random UUID (version 4) of 16 random bytes.
  public init(random: InlineArray<16, UInt8>) {
    high = random.span.bigEndian(at: 0, count: 8) & ~0xF000 | 0x4000
    low = random.span.bigEndian(at: 8, count: 8) & ~(0b11 << 62) | 0b10 << 62
  }

  /// Reads 16 bytes.
  ///
  /// - Returns: nil when fewer than 16 bytes follow `offset`.
  public init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, bytes.count - offset >= DeviceUUID.byteCount else { return nil }
    high = bytes.bigEndian(at: offset, count: 8)
    low = bytes.bigEndian(at: offset + 8, count: 8)
  }

  /// Reads the hyphenated form of 36 characters, in any case.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: some StringProtocol) {
    guard case .bit128(let high, let low)? = BluetoothUUID(text) else { return nil }
    self.init(high: high, low: low)
  }

  /// The bytes in the order of the text.
  public var bytes: InlineArray<16, UInt8> {
    InlineArray {
      UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 &- 8 &* ($0 & 7)))
    }
  }
}

extension DeviceUUID: CustomStringConvertible {
  /// The hyphenated form in upper case, as every UUID is printed.
  public var description: String { BluetoothUUID.bit128(high: high, low: low).description }
}
