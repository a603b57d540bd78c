import LunaCrypto
import LunaProtocol
import LunaTesting
import Testing

struct OnboardingCodeTests {
  static let text = "LUNA1:0024H36H2NCSVRH6DAQF6DVVQZW"

  @Test func textsGoBothWays() throws {
    var random = Seeded(22)
    for _ in 0..<500 {
      let bytes = random.bytes(16)
      let code = try #require(OnboardingCode(SecretBytes(copying: bytes.span)))
      #expect(code.revealed.utf8.count == 33)
      #expect(try OnboardingCode(text: code.revealed) == code)
      #expect(try OnboardingCode(text: code.revealed.lowercased()) == code)
    }
  }

  @Test func oneWrongSymbolIsAlwaysNoticed() throws {
    let symbols = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    for index in 6..<32 {
      for symbol in symbols {
        var text = Array(Self.text)
        guard text[index] != symbol else { continue }
        text[index] = symbol
        #expect(throws: OnboardingCodeRejection.self) { try OnboardingCode(text: String(text)) }
      }
    }
  }

  @Test func tellsWhichSymbolNoCodeHas() {
    #expect(OnboardingCode.wrongSymbol(in: Self.text) == nil)
    #expect(OnboardingCode.wrongSymbol(in: String(Self.text.dropLast()) + "U") == nil)
    for index in 6..<33 {
      // Only the check may be a U.
      for symbol in ["!", "\u{DF}", index < 32 ? "U" : "!"] as [Character] {
        var text = Array(Self.text)
        text[index] = symbol
        #expect(OnboardingCode.wrongSymbol(in: String(text)) == index - 5)
        text.insert("-", at: 8)
        #expect(OnboardingCode.wrongSymbol(in: String(text)) == index - 5)
      }
    }
  }

  @Test func codesHave16BytesAndDoNotShow() throws {
    for count in [0, 15, 17] {
      let bytes = [UInt8](repeating: 0, count: count)
      #expect(OnboardingCode(SecretBytes(copying: bytes.span)) == nil)
    }
    let code = try OnboardingCode(text: Self.text)
    var dumped = ""
    dump(code, to: &dumped)
    #expect(!"\(code)\(dumped)".contains("0024H"))
    #expect(try code.factoryHint() == ESF(value: 0x3008DF))
  }
}
