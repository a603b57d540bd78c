import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
import LunaTesting
import Testing

struct LunaOwnerTests {
  private let store = InMemoryDeviceStore()
  private let owner: LunaOwner

  init() { owner = LunaOwner(store: store) }

  private func importing(_ devices: [Device]) async throws -> [Device] {
    try await owner.importDevices(Array(DeviceFile.encode(devices).utf8))
  }

  @Test func exportsAndImports() async throws {
    let devices = Samples.oneOfEach()
    store.put(devices)
    let text = try await owner.exportDevices()
    let other = InMemoryDeviceStore()
    #expect(
      try await LunaOwner(store: other).importDevices(Array(text.utf8)) == devices)
    #expect(other.allDevices() == devices)
    #expect(try await owner.importDevices(Array(text.utf8)) == devices)
    #expect(store.allDevices() == devices)
  }

  @Test func refusesAKeyThatIsThere() async throws {
    store.put([Samples.device(1)])
    let error = await #expect(throws: DeviceFileError.self) {
      try await importing([Samples.device(2), Samples.device(3, key: 1)])
    }
    #expect(error?.entry == "entry 2 (device 3)")
    #expect(error?.reason == "it has the same key as device 1, which is there already")
    #expect(store.allDevices().count == 1, "all or nothing")
  }

  @Test func refusesAUUIDThatIsThereWithAnotherKey() async throws {
    store.put([Samples.device(1)])
    let error = await #expect(throws: DeviceFileError.self) {
      try await importing([Samples.device(1, key: 9)])
    }
    #expect(error?.reason == "it has the uuid of device 1 but a different key")
    #expect(store.allDevices() == [Samples.device(1)])
  }

  @Test func findsTheDeviceThatIsMeant() async throws {
    store.put([
      Samples.device(0x10, name: "Keys"), Samples.device(0x11, name: "keys"),
      Samples.device(0x20, name: "bag"),
    ])
    #expect(try await owner.device(matching: "keys").uuid == Samples.uuid(0x11))
    #expect(try await owner.device(matching: "BAG").uuid == Samples.uuid(0x20))
    let text = Samples.uuid(0x20).description
    #expect(try await owner.device(matching: text.uppercased()).uuid == Samples.uuid(0x20))
    #expect(
      try await owner.device(matching: String(text.prefix(35))).uuid == Samples.uuid(0x20))
    for (text, kind) in [
      ("KEYS", OwnerError.Kind.ambiguous), (String(text.prefix(8)), .ambiguous),
      ("wallet", .noSuchDevice), ("", .noSuchDevice),
    ] {
      let error = await #expect(throws: OwnerError.self) { try await owner.device(matching: text) }
      #expect(error?.kind == kind)
    }
  }

  @Test func namesTheNearestDevice() async throws {
    store.put([Samples.device(0x10, name: "Keys"), Samples.device(0x20, name: "bag")])
    for (text, nearest) in [("Key", true), ("kesy", true), ("wallet", false)] {
      let error = await #expect(throws: OwnerError.self) { try await owner.device(matching: text) }
      let remedy = error?.remedy?.description ?? ""
      #expect(remedy.contains("did you mean Keys?") == nearest, "\(text)")
      #expect(error?.remedy?.steps == [.devices])
    }
  }

  /// A file without names, read again, takes none away; one with a name gives it.
  @Test func keepsTheNameThatItWasGiven() async throws {
    let nameless = Samples.device(1, name: Samples.uuid(1).description)
    #expect(try await importing([nameless]) == [nameless])
    try await owner.renameDevice(nameless, to: "bag")
    #expect(try await importing([nameless]).map(\.name) == ["bag"])
    #expect(store.allDevices().map(\.name) == ["bag"])
    #expect(try await importing([Samples.device(1, name: "Box")]).map(\.name) == ["Box"])
  }

  @Test func renamesAndForgets() async throws {
    let device = Samples.device(1)
    store.put([device])
    #expect(try await owner.renameDevice(device, to: "bag"))
    #expect(try await owner.allDevices().map(\.name) == ["bag"])
    #expect(try await owner.forgetDevice(device))
    #expect(try await !owner.forgetDevice(device))
    #expect(try await !owner.renameDevice(device, to: "x"))
  }
}
