import LunaFrames
import Testing

struct IdentifierTests {
  // Those of PROTOCOL.md, 18.
  private let eid = EID(value: 0xB6E7_B607_BDC2_304A)
  private let aotp = AOTP(value: 0xE5_C801_3424_402B)
  private let heid = HEID(high: 0xA098_6711_4718_5411, low: 0x41ED_6066_4CE8_8CBB)
  private let esf = ESF(value: 0xA77593)

  @Test func textsAndBytesGoBothWays() {
    #expect(EID("b6e7b607bdc2304a") == eid)
    #expect(eid.description == "b6e7b607bdc2304a")
    #expect(AOTP("e5c8013424402b") == aotp)
    #expect(aotp.revealed == "e5c8013424402b")
    #expect(HEID("a09867114718541141ed60664ce88cbb") == heid)
    #expect(heid.description == "a09867114718541141ed60664ce88cbb")
    #expect(heid.prefix == 0xA098_6711)
    #expect(ESF("a77593") == esf)
    #expect(ESF(value: 0x12).description == "000012")
    #expect(EID(eid.bytes.span) == eid)
    #expect(AOTP(aotp.bytes.span) == aotp)
    #expect(HEID(heid.bytes.span) == heid)
    #expect(ESF(esf.bytes.span) == esf)
  }

  @Test(arguments: ["", "b6e7b607bdc230", "b6e7b607bdc2304a00", "b6e7b607bdc2304", "zz"])
  func otherTextsAreRefused(text: String) {
    #expect(EID(text) == nil)
    #expect(HEID(text) == nil)
    #expect(ESF(text) == nil)
    if text.count != 14 { #expect(AOTP(text) == nil) }
  }

  @Test func bytesOutsideAreRefused() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    #expect(EID(bytes.span, at: 1)?.value == 0x0203_0405_0607_0809)
    #expect(EID(bytes.span, at: 2) == nil)
    #expect(EID(bytes.span, at: -1) == nil)
    #expect(EID(bytes.span, at: .max) == nil)
    #expect(AOTP(bytes.span, at: 3) == nil)
    #expect(ESF(bytes.span, at: 7) == nil)
    #expect(HEID(bytes.span) == nil)
  }
}
