import LunaCrypto
import Testing

struct AESBlocksTests {
  static let block: InlineArray<16, UInt8> = InlineArray { UInt8($0 * 0x11) }

  /// FIPS 197, C.1 and C.3.
  @Test func publishedVectors() throws {
    var aes128 = try AES128Blocks()
    aes128.setKey(InlineArray { UInt8($0) })
    #expect(array(aes128.encrypt(Self.block)) == hex("69c4e0d86a7b0430d8cdb78070b4c55a"))
    var aes256 = try AES256Blocks()
    try aes256.setKey(secret("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"))
    #expect(array(aes256.encrypt(Self.block)) == hex("8ea2b7ca516745bfeafc49904b496089"))
  }

  @Test func manyBlocksAreEachForItself() throws {
    var aes = try AES128Blocks()
    aes.setKey(InlineArray(repeating: 3))
    let blocks = (0..<1024).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 4) }
    var together = [UInt8](repeating: 0, count: blocks.count)
    var output = together.mutableSpan
    aes.encrypt(blocks.span, into: &output)
    for start in stride(from: 0, to: blocks.count, by: 16) {
      let alone = aes.encrypt(InlineArray { blocks[start + $0] })
      #expect(array(alone) == Array(together[start..<start + 16]))
    }
  }

  @Test func keyLengthsAreChecked() throws {
    var aes = try AES128Blocks()
    let error = #expect(throws: CryptoError.self) { try aes.setKey(secret("001122")) }
    #expect(error?.kind == .length)
    do {
      _ = try AESBlocks<24>()
      Issue.record("a context for 24 bytes was made")
    } catch {
      #expect(error.kind == .length)
    }
  }
}
