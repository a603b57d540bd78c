import Testing

@testable import LunaCore

@Suite struct TokenTextTests {
  @Test func isReadAsItIsMade() throws {
    let text = try TokenText.make("gateway")
    #expect(TokenText.isToken(text, of: "gateway"))
    #expect(!TokenText.isToken(text, of: "owner"))
    #expect(try TokenText.make("gateway") != text)
    let wrong = ["", "luna-gateway-", "luna-gateway-00", text + "0", String(text.dropLast()) + "g"]
    for other in wrong {
      #expect(!TokenText.isToken(other, of: "gateway"))
    }
  }
}
