import LunaProtocol
import LunaTesting
import Testing

struct IdentifierTests {
  @Test(arguments: ["", "b6e7b607bdc230", "b6e7b607bdc2304a00", "b6e7b607bdc2304", "zz"])
  func otherTextsAreRefused(text: String) {
    #expect(DeviceUUID(text) == nil)
    #expect(MasterKey(text) == nil)
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
