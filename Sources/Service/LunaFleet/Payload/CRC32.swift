/// The CRC of IEEE 802.3, which labels and PNG files use.
enum CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320
    }
  }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    let table = table
    var sum: UInt32 = ~0
    for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
    return ~sum
  }
}
