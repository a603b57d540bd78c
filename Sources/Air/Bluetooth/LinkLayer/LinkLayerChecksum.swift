/// The checksum of advertising channel PDUs: 24 bits over header and payload, preset to 0x555555
/// (Core Specification, Vol 6, Part B, 3.1.1).
public enum LinkLayerChecksum {
  /// The bytes of it behind the PDU.
  public static let count = 3

  /// The checksum of `pdu`, with its bits in the order of the air: the first byte sent is the
  /// least significant one.
  public static func checksum(of pdu: Span<UInt8>) -> UInt32 {
    var state: UInt32 = 0xAAAAAA
    for index in 0..<pdu.count {
      state = (state >> 8) ^ table[Int((state ^ UInt32(pdu[index])) & 0xFF)]
    }
    return state
  }

  /// Remainders of all bytes by x^24 + x^10 + x^9 + x^6 + x^4 + x^3 + x + 1, bits reversed.
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { state, _ in
      state & 1 == 0 ? state >> 1 : (state >> 1) ^ 0xDA6000
    }
  }
}
