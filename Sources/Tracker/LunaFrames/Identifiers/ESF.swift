import Bluetooth

/// The 3 bytes of encrypted status of a frame (PROTOCOL.md, 8): a tag of two bytes and one byte
/// that hides the status. In factory state they are the hint to the onboarding code.
public struct ESF: Hashable, Sendable {
  /// The number of bytes.
  public static let byteCount = 3

  /// The bytes as a number, the first one most significant; below 2^24.
  public let value: UInt32

  /// A status field from its number; bits above 23 are cleared.
  @inlinable public init(value: UInt32) { self.value = value & 0xFF_FFFF }

  /// Reads 3 bytes.
  ///
  /// - Returns: nil when fewer than 3 bytes follow `offset`.
  public init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, bytes.count - offset >= ESF.byteCount else { return nil }
    value = UInt32(truncatingIfNeeded: bytes.bigEndian(at: offset, count: ESF.byteCount))
  }

  /// Reads 6 hexadecimal digits.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Hex.bytes(text), bytes.count == ESF.byteCount else { return nil }
    self.init(bytes.span)
  }

  /// The bytes as they are on the air.
  public var bytes: InlineArray<3, UInt8> {
    InlineArray { UInt8(truncatingIfNeeded: value >> UInt32(16 &- 8 &* $0)) }
  }
}

extension ESF: CustomStringConvertible {
  /// 6 hexadecimal digits in lower case.
  public var description: String { Hex.lower(bytes.span) }
}
