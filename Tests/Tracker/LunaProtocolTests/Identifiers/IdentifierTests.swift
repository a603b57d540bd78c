import LunaProtocol
import LunaTesting
import Testing

struct IdentifierTests {
  @Test func textsAndBytesGoBothWays() throws {
    #expect(EID("b6e7b607bdc2304a") == Anchor.eid)
    #expect(Anchor.eid.description == "b6e7b607bdc2304a")
    #expect(AOTP("e5c8013424402b") == Anchor.aotp)
    #expect(Anchor.aotp.revealed == "e5c8013424402b")
    #expect(HEID("a09867114718541141ed60664ce88cbb") == Anchor.heid)
    #expect(Anchor.heid.description == "a09867114718541141ed60664ce88cbb")
    #expect(Anchor.heid.prefix == 0xA098_6711)
    #expect(ESF("a77593") == Anchor.esf)
    #expect(ESF(value: 0x12).description == "000012")
    #expect(EID(Anchor.eid.bytes.span) == Anchor.eid)
    #expect(AOTP(Anchor.aotp.bytes.span) == Anchor.aotp)
    #expect(HEID(Anchor.heid.bytes.span) == Anchor.heid)
    #expect(ESF(Anchor.esf.bytes.span) == Anchor.esf)
  }

  @Test(arguments: ["", "b6e7b607bdc230", "b6e7b607bdc2304a00", "b6e7b607bdc2304", "zz"])
  func otherTextsAreRefused(text: String) {
    #expect(EID(text) == nil)
    #expect(HEID(text) == nil)
    #expect(ESF(text) == nil)
    #expect(DeviceUUID(text) == nil)
    #expect(MasterKey(text) == nil)
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

  @Test func randomUUIDsAreOfVersion4() {
    var random = Seeded(1)
    for _ in 0..<100 {
      let text = Array(DeviceUUID(random: random.inline()).description)
      #expect(text.count == 36)
      #expect(text[14] == "4")
      #expect("89AB".contains(text[19]))
    }
    let uuid = DeviceUUID("f84407fd-3d40-4ef1-81fd-8ced8dfe7ff3")
    #expect(uuid?.description == "F84407FD-3D40-4EF1-81FD-8CED8DFE7FF3")
    #expect(uuid.map { DeviceUUID($0.bytes.span) } == uuid)
  }
}
