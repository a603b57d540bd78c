/// SHA-256 (FIPS 180-4) in Swift, so that decoding needs no library of cryptography. For what anybody can compute
/// from the air, and for nothing else: secrets are for `LunaCrypto`.
struct SHA256: Sendable {
  /// The beginnings of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: InlineArray<64, UInt32> = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
  ]

  /// Those of the square roots of the first 8 primes, until a block is full.
  private var state: InlineArray<8, UInt32> = [
    0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A, 0x510E_527F, 0x9B05_688C, 0x1F83_D9AB,
    0x5BE0_CD19,
  ]
  /// What came behind the last full block.
  private var block = InlineArray<64, UInt8>(repeating: 0)
  /// The number of bytes so far.
  private var count = 0

  /// Adds to the message.
  mutating func update(_ bytes: Span<UInt8>) {
    for index in bytes.indices { append(bytes[index]) }
  }

  /// The digest of the message so far, to which nothing may be added after that.
  mutating func finalize() -> InlineArray<32, UInt8> {
    let bits = UInt64(count) &* 8
    append(0x80)
    while count & 63 != 56 { append(0) }
    for index in 0..<8 { append(UInt8(truncatingIfNeeded: bits >> UInt64(56 &- 8 &* index))) }
    return InlineArray { UInt8(truncatingIfNeeded: state[$0 >> 2] >> UInt32(24 &- 8 &* ($0 & 3))) }
  }

  private mutating func append(_ byte: UInt8) {
    block[count & 63] = byte
    count &+= 1
    if count & 63 == 0 { compress() }
  }

  /// Takes a full block into the state.
  private mutating func compress() {
    // Of the 64 words of the schedule the last 16 are enough.
    var words = InlineArray<16, UInt32>(repeating: 0)
    for index in block.indices { words[index >> 2] = words[index >> 2] << 8 | UInt32(block[index]) }
    let before = state
    for round in 0..<64 {
      if round >= 16 { words[round & 15] &+= SHA256.scheduled(round, words) }
      step(words[round & 15] &+ SHA256.constants[round])
    }
    for index in state.indices { state[index] &+= before[index] }
  }

  /// What is added to the word of 16 rounds before.
  @inline(__always)
  private static func scheduled(_ round: Int, _ words: InlineArray<16, UInt32>) -> UInt32 {
    let early = words[(round &+ 1) & 15]
    let late = words[(round &+ 14) & 15]
    let sigma0 = rotated(early, 7) ^ rotated(early, 18) ^ early >> 3
    let sigma1 = rotated(late, 17) ^ rotated(late, 19) ^ late >> 10
    return sigma0 &+ sigma1 &+ words[(round &+ 9) & 15]
  }

  /// One round.
  @inline(__always)
  private mutating func step(_ input: UInt32) {
    let (a, b, c, e) = (state[0], state[1], state[2], state[4])
    let sum1 = SHA256.rotated(e, 6) ^ SHA256.rotated(e, 11) ^ SHA256.rotated(e, 25)
    let choice = e & state[5] ^ ~e & state[6]
    let first = state[7] &+ sum1 &+ choice &+ input
    let sum0 = SHA256.rotated(a, 2) ^ SHA256.rotated(a, 13) ^ SHA256.rotated(a, 22)
    let majority = a & b ^ a & c ^ b & c
    state = [
      first &+ sum0 &+ majority, a, b, c, state[3] &+ first, e, state[5], state[6],
    ]
  }

  @inline(__always)
  private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word &>> count | word &<< (32 &- count)
  }
}
