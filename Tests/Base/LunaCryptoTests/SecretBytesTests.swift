import LunaCrypto
import Testing

struct SecretBytesTests {
  /// Not a type of the test that uses it: what is printed of those has an address, in which any digits
  /// can be.
  struct Holder { let key = secret("deadbeef") }

  @Test func comparesByContent() {
    #expect(secret("00112233") == secret("00112233"))
    #expect(secret("00112233") != secret("00112234"))
    #expect(secret("00112233") != secret("001122"))
    #expect(secret("") == secret(""))
  }

  @Test func descriptionsAndDumpsShowNothing() {
    var dumped = ""
    dump(Holder(), to: &dumped)
    for text in ["\(secret("deadbeef"))", String(reflecting: Holder()), dumped] {
      #expect(text.contains("4 secret bytes"))
      for leak in ["222", "173", "190", "239", "dead", "beef"] {
        #expect(!text.contains(leak), "\(text)")
      }
    }
  }

  @Test func wipingLeavesZeros() {
    var inline: InlineArray<5, UInt8> = [1, 2, 3, 4, 5]
    wipe(&inline)
    #expect(array(inline) == [0, 0, 0, 0, 0])
    var bytes: [UInt8] = [1, 2, 3]
    wipe(&bytes)
    #expect(bytes == [0, 0, 0])
  }

  @Test func constantTimeComparisonIsAComparison() {
    func equal(_ left: [UInt8], _ right: [UInt8]) -> Bool {
      constantTimeEqual(left.span, right.span)
    }
    #expect(equal([1, 2, 3], [1, 2, 3]))
    #expect(!equal([1, 2, 3], [1, 2, 4]))
    #expect(!equal([1, 2, 3], [1, 2]))
    #expect(equal([], []))
  }
}
