import Bluetooth
import Testing

@Suite("Sums that stay within their numbers")
struct SaturatingSumTests {
  @Test(
    arguments: [
      (1, 2, 3), (.max, 1, .max), (1, .max, .max), (.max, .max, .max), (.min, -1, .min),
      (-1, .min, .min), (.max, .min, -1), (.min, .max, -1),
    ] as [(Int64, Int64, Int64)])
  func sums(one: Int64, other: Int64, sum: Int64) {
    #expect(one.saturatingAdding(other) == sum)
  }

  @Test func ofNumbersWithoutASign() {
    #expect(UInt8(200).saturatingAdding(55) == 255)
    #expect(UInt8(200).saturatingAdding(56) == 255)
  }
}
