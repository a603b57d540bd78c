/// CRC-32 (ISO/IEC/IEEE 802.3, 3.2.9, reflected), bit by bit: a table would cost 1 kB of flash, and a record is short.
enum CRC32 {
  private static let polynomial: UInt32 = 0xEDB8_8320

  static func checksum(of bytes: Span<UInt8>) -> UInt32 {
    var remainder = UInt32.max
    for index in bytes.indices {
      remainder ^= UInt32(bytes[index])
      for _ in 0..<8 {
        remainder = remainder & 1 == 0 ? remainder >> 1 : remainder >> 1 ^ polynomial
      }
    }
    return ~remainder
  }
}
