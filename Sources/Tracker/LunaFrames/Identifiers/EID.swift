import Bluetooth

/// The 8 bytes by which the holders of a tracker's identification key know it during one period
/// (PROTOCOL.md, 3). Others see a random number.
public struct EID: Hashable, Sendable {
  /// The number of bytes.
  public static let byteCount = 8

  /// The bytes as a number, the first one most significant.
  public let value: UInt64

  /// An identifier from its number.
  @inlinable public init(value: UInt64) { self.value = value }

  /// Reads 8 bytes.
  ///
  /// - Returns: nil when fewer than 8 bytes follow `offset`.
  public init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, bytes.count - offset >= EID.byteCount else { return nil }
    value = bytes.bigEndian(at: offset, count: EID.byteCount)
  }

  /// Reads 16 hexadecimal digits.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Hex.bytes(text), bytes.count == EID.byteCount else { return nil }
    self.init(bytes.span)
  }

  /// The bytes as they are on the air.
  public var bytes: InlineArray<8, UInt8> {
    InlineArray { UInt8(truncatingIfNeeded: value >> UInt64(56 &- 8 &* $0)) }
  }
}

extension EID: CustomStringConvertible {
  /// 16 hexadecimal digits in lower case.
  public var description: String { Hex.lower(bytes.span) }
}
