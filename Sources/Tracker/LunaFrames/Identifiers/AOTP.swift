import Bluetooth

/// The 7 bytes that open, with the ``EID``, the location reports of one period (PROTOCOL.md, 3). On
/// the air they are in the clear; descriptions hide them, so that no log can open a report.
public struct AOTP: Hashable, Sendable {
  /// The number of bytes.
  public static let byteCount = 7

  /// The bytes as a number, the first one most significant; below 2^56.
  public let value: UInt64

  /// A password from its number; bits above 55 are cleared.
  @inlinable public init(value: UInt64) { self.value = value & 0xFF_FFFF_FFFF_FFFF }

  /// Reads 7 bytes.
  ///
  /// - Returns: nil when fewer than 7 bytes follow `offset`.
  public init?(_ bytes: Span<UInt8>, at offset: Int = 0) {
    guard offset >= 0, bytes.count - offset >= AOTP.byteCount else { return nil }
    value = bytes.bigEndian(at: offset, count: AOTP.byteCount)
  }

  /// Reads 14 hexadecimal digits.
  ///
  /// - Returns: nil for any other text.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Hex.bytes(text), bytes.count == AOTP.byteCount else { return nil }
    self.init(bytes.span)
  }

  /// The bytes as they are on the air.
  public var bytes: InlineArray<7, UInt8> {
    InlineArray { UInt8(truncatingIfNeeded: value >> UInt64(48 &- 8 &* $0)) }
  }

  /// 14 hexadecimal digits in lower case; keep them out of logs.
  public var revealed: String { Hex.lower(bytes.span) }
}

extension AOTP: CustomStringConvertible {
  /// Hides the bytes.
  public var description: String { "<aotp>" }
}

#if !hasFeature(Embedded)  // Nothing has a mirror on a device.
  extension AOTP: CustomReflectable {
    /// Shows nothing.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
  }
#endif
