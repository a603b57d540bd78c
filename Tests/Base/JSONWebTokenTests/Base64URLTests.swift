import Testing

@testable import JSONWebToken

@Suite("base64url")
struct Base64URLTests {
  @Test(
    "RFC 4648, 10, without padding",
    arguments: [
      ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
      ("fooba", "Zm9vYmE"),
      ("foobar", "Zm9vYmFy"),
    ])
  func vectors(_ plain: String, _ text: String) {
    #expect(Base64URL.encode(plain.utf8) == Array(text.utf8))
    #expect(Base64URL.decode(Array(text.utf8).span) == Array(plain.utf8))
  }

  @Test(
    "What is none",
    arguments: [
      "Z", "Zg==", "Z+8", "Z/8", "Zm9vZ", "Z g", "Zh", "Zm9", "Zg\n",
    ])
  func others(_ text: String) {
    #expect(Base64URL.decode(Array(text.utf8).span) == nil)
  }
}
