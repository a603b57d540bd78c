import Bluetooth

/// The 16 bytes under which the backend stores the reports of one tracker in one period
/// (PROTOCOL.md, 3). Derived from ``EID`` and ``AOTP``, which cannot be found from it.
public struct HEID: Hashable, Sendable {
  /// The number of bytes.
  public static let byteCount = 16

  /// Bytes 0 to 7 as a number, the first one most significant.
  public let high: UInt64
  /// Bytes 8 to 15, likewise.
  public let low: UInt64

  /// An identifier from its two halves.
  @inlinable public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Reads 16 bytes.
  ///
  /// - Returns: nil when fewer than 16 bytes follow `offset`.
  public init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, bytes.count - offset >= HEID.byteCount else { return nil }
    high = bytes.bigEndian(at: offset, count: 8)
    low = bytes.bigEndian(at: offset + 8, count: 8)
  }

  /// Reads 32 hexadecimal digits.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Hex.bytes(text), bytes.count == HEID.byteCount else { return nil }
    self.init(bytes.span)
  }

  /// The bytes in their order.
  public var bytes: InlineArray<16, UInt8> {
    InlineArray {
      UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 &- 8 &* ($0 & 7)))
    }
  }

  /// The first 4 bytes, which an iBeacon frame carries as major and minor.
  public var prefix: UInt32 { UInt32(truncatingIfNeeded: high >> 32) }
}

extension HEID: CustomStringConvertible {
  /// 32 hexadecimal digits in lower case.
  public var description: String { Hex.lower(bytes.span) }
}
