import Foundation
import LunaProtocol
import LunaTesting
import Testing

struct Base64Tests {
  @Test func agreesWithFoundation() {
    var random = Seeded(4)
    for count in 0..<200 {
      let bytes = random.bytes(count)
      let text = Base64.encode(bytes.span)
      #expect(text == Data(bytes).base64EncodedString())
      #expect(Base64.decode(text) == bytes)
    }
  }

  @Test(arguments: [
    "A", "AA", "AAA", "====", "A===", "AB==", "AAB=", "AA=A", "=AAA", "AAAA=", "AAAA====",
    "AA==AAAA", "AA\n==", " AAAA", "AAAA\n", "AA-_", "AA\u{E9}A",
  ])
  func otherFormsAreRefused(text: String) {
    #expect(Base64.decode(text) == nil)
  }
}
