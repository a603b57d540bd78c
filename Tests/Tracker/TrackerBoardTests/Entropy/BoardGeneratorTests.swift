import Bluetooth
import LunaTesting
import Testing

@testable import TrackerBoard

@Suite("BoardGenerator")
struct BoardGeneratorTests {
  private func isRefused(_ bytes: [UInt8]) -> Bool {
    BoardGenerator(entropy: bytes.span) == nil
  }

  /// RFC 6979, A.2.5: the nonce for "sample" with P-256 and SHA-256, which HMAC_DRBG gives.
  @Test("The first bytes are those of RFC 6979, further ones those of NIST SP 800-90A")
  func vector() {
    let key = "c9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721"
    let digest = "af2bdbe1aa9b6ec1e2ade1d694f41fc71a831d0268e9891562113d8a62add1bf"
    let seed = Hex.bytes(key + digest) ?? []
    var generator = BoardGenerator(seed: seed.span)
    let numbers = (0..<8).map { _ in generator.next() }
    // The second half was computed with the pseudocode of 10.1.2 in another language.
    let expected: [UInt64] = [
      0xA6E3_C57D_D01A_BE90, 0x0865_3839_8355_DD4C, 0x3B17_AA87_3382_B0F2, 0x4D61_2949_3D8A_AD60,
      0x8E83_DC49_0BC5_FC4D, 0x5992_BD63_CD87_F254, 0xADFF_CB93_0F8A_8011, 0x702A_8887_0F63_8FDB,
    ]
    #expect(numbers == expected)
  }

  @Test("A source that is sound is taken, thousands of times", arguments: [1, 2, 3, 4])
  func sound(seed: UInt64) {
    var source = Seeded(seed)
    for _ in 0..<100 {
      let bytes = source.bytes(BoardGenerator.entropyCount)
      #expect(!isRefused(bytes))
    }
  }

  @Test("A source that is stuck for a moment, biased, or gives too little is refused")
  func broken() {
    var source = Seeded(7)
    let good = source.bytes(BoardGenerator.entropyCount)
    #expect(!isRefused(good))
    #expect(isRefused([]))
    #expect(isRefused(Array(good.dropLast())))
    #expect(isRefused([UInt8](repeating: 0x00, count: good.count)))
    #expect(isRefused([UInt8](repeating: 0xFF, count: good.count)))
    var stuck = good
    for index in 500..<500 + EntropyCheck.repetitionCutoff { stuck[index] = 0x5A }
    #expect(isRefused(stuck))
    // Never twice the same in a row, and every fourth byte is what the window begins with.
    let biased = good.indices.map { $0 % 4 == 0 ? 0x33 : good[$0] }
    #expect(isRefused(biased))
    // Only in the last window.
    #expect(isRefused(Array(good.prefix(EntropyCheck.window) + biased.prefix(EntropyCheck.window))))
  }
}
