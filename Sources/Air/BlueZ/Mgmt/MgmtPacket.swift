/// The framing of commands and events: code, controller index, length of the parameters, each two
/// bytes, little-endian.
enum MgmtPacket {
  static let headerCount = 6
  /// The index of what concerns no controller.
  static let noIndex: UInt16 = 0xFFFF

  /// A command.
  static func command(_ opcode: UInt16, _ index: UInt16, _ parameters: [UInt8]) -> [UInt8] {
    bytes(opcode) + bytes(index) + bytes(UInt16(clamping: parameters.count)) + parameters
  }

  /// An event's code, index and parameters.
  ///
  /// - Returns: nil when the parameters do not reach as far as the header says.
  static func event(_ bytes: Span<UInt8>) -> (code: UInt16, index: UInt16, count: Int)? {
    guard bytes.count >= headerCount else { return nil }
    let count = Int(number(bytes, 4))
    guard bytes.count >= headerCount + count else { return nil }
    return (number(bytes, 0), number(bytes, 2), count)
  }

  /// Two bytes, least significant first.
  static func bytes(_ value: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  /// Four bytes, least significant first.
  static func bytes(_ value: UInt32) -> [UInt8] {
    bytes(UInt16(truncatingIfNeeded: value)) + bytes(UInt16(truncatingIfNeeded: value >> 16))
  }

  /// Two bytes at `offset`, which must lie within.
  static func number(_ bytes: Span<UInt8>, _ offset: Int) -> UInt16 {
    UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8
  }

  /// Four bytes at `offset`, which must lie within.
  static func number32(_ bytes: Span<UInt8>, _ offset: Int) -> UInt32 {
    UInt32(number(bytes, offset)) | UInt32(number(bytes, offset + 2)) << 16
  }

  /// A list of two-byte numbers behind their two-byte count, as far as it reaches.
  static func list(_ bytes: [UInt8], at offset: Int = 0) -> [UInt16] {
    guard bytes.count >= offset + 2 else { return [] }
    let span = bytes.span
    let count = min(Int(number(span, offset)), (bytes.count - offset - 2) / 2)
    return (0..<count).map { number(span, offset + 2 + 2 * $0) }
  }
}
