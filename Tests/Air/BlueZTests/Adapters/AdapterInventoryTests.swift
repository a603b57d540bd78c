import Bluetooth
import Diagnosis
import EventLoop
import Glibc
import SystemBus
import Testing

@testable import BlueZ

/// What `luna adapters` tells, out of what the kernel and bluetoothd say.
@Suite(.timeLimit(.minutes(10)))
struct AdapterInventoryTests {
  private let reactor = Reactor(name: "inventory")

  private func adapters(_ kernel: FakeKernel) async throws(SourceError) -> [Adapter] {
    try await AdapterInventory(reactor: reactor, host: kernel).adapters()
  }

  private func daemon(powered: Bool = true) throws -> FakeDaemon {
    try #require(
      FakeDaemon { state in
        state.objects["/org/bluez/hci0"] = [
          "org.bluez.Adapter1": .properties([
            "Address": .string("F0:F1:F2:F3:F4:10"), "Alias": .string("kitchen"),
            "Powered": .bool(powered), "Discovering": .bool(true),
            "Manufacturer": .uint16(0x05F1), "Version": .byte(9),
          ]),
          "org.bluez.LEAdvertisingManager1": .properties([
            "SupportedSecondaryChannels": .array([.string("1M"), .string("2M"), .string("Coded")])
          ]),
        ]
      })
  }

  @Test func tellsWhatTheKernelKnows() async throws {
    let kernel = FakeKernel([
      0: FakeAdapter(settings: 1 << 9 | 1),
      2: FakeAdapter(address: .init(value: 0x42), supported: 1),
    ]) { state in
      state.links["/sys/class/bluetooth/hci0/device/driver"] = "../../../bus/usb/drivers/btusb"
    }
    let found = try await adapters(kernel)
    #expect(found.map(\.name) == ["hci0", "hci2"])
    #expect(found[0].state == .up && found[1].state == .down)
    #expect(found[0].address?.description == "F0:F1:F2:F3:F4:10")
    #expect(found[0].manufacturer == 0x05F1 && found[0].hciVersion == 9)
    #expect(found[0].alias == "Luna test")
    #expect(found[0].bus == .usb && found[0].driver == "btusb")
    #expect(
      found[0].features
        == [.lowEnergy, .physKnown, .phy2M, .phyCoded, .extendedAdvertising])
    #expect(!found[1].features.contains(.lowEnergy))
    #expect(found[0].users.isEmpty && found[0].isDiscovering == nil)
  }

  @Test(arguments: [
    ("1", "0", AdapterState.hardBlocked), ("0", "1", .softBlocked), ("0", "0", .up),
  ])
  func tellsWhoBlocksIt(hard: String, soft: String, state expected: AdapterState) async throws {
    let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)]) { state in
      state.files["/sys/class/bluetooth/hci0/rfkill3/hard"] = hard
      state.files["/sys/class/bluetooth/hci0/rfkill3/soft"] = soft
    }
    #expect(try await adapters(kernel).map(\.state) == [expected])
  }

  @Test func tellsWhoHasTakenAnAdapter() async throws {
    let kernel = FakeKernel { state in
      state.taken = [1]
      state.unconfigured = [3]
      state.files["/proc/self/net/hci"] = """
        sk       RefCnt Rmem   Wmem   User   Inode  Parent
        00000000 2      0      0      0      4711   0
        00000000 2      0      0      0      4712   0
        """
      state.files["/proc/312/comm"] = "btmon"
      state.files["/proc/313/comm"] = "bluetoothd"
      state.links["/proc/312/fd/7"] = "socket:[4711]"
      state.links["/proc/313/fd/5"] = "socket:[4712]"
    }
    let found = try await adapters(kernel)
    #expect(found.map(\.index) == [1, 3])
    #expect(found.map(\.state) == [.exclusive, .unconfigured])
    #expect(found[0].users == ["btmon (312)"])
    #expect(found[1].users.isEmpty)
  }

  @Test func addsWhatTheDaemonKnows() async throws {
    let daemon = try daemon()
    let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)]) { state in
      state.busAddress = daemon.address
    }
    let found = try #require(try await adapters(kernel).first)
    #expect(found.alias == "kitchen" && found.isDiscovering == true)
    #expect(found.users == ["bluetoothd"])
  }

  /// Without the rights to ask the kernel for PHYs bluetoothd knows some.
  @Test func takesThePHYsFromTheDaemon() async throws {
    let daemon = try daemon()
    let kernel = FakeKernel([0: FakeAdapter()]) { state in
      state.busAddress = daemon.address
      state.mayAdminister = false
    }
    let found = try #require(try await adapters(kernel).first)
    #expect(found.features.contains(.phyCoded) && found.features.contains(.extendedAdvertising))
  }

  /// As in a container without Bluetooth sockets.
  @Test func theDaemonAloneIsEnough() async throws {
    let daemon = try daemon()
    let kernel = FakeKernel { state in
      state.socketError = EAFNOSUPPORT
      state.busAddress = daemon.address
    }
    let found = try await adapters(kernel)
    #expect(found.map(\.name) == ["hci0"])
    #expect(found[0].state == .up && found[0].hciVersion == 9)
  }

  @Test func withoutBothItSaysWhy() async throws {
    let kernel = FakeKernel { state in state.socketError = EAFNOSUPPORT }
    let error = await #expect(throws: SourceError.self) { try await adapters(kernel) }
    #expect(error?.kind == .noAdapter)
    #expect(error?.reason.contains("no Bluetooth support") == true)
  }

  @Test func noAdapterIsNoError() async throws {
    #expect(try await adapters(FakeKernel()).isEmpty)
  }

  @Test func aKernelThatRefusesIsAnError() async throws {
    let kernel = FakeKernel { state in
      state.refusals[MgmtOpcode.readIndexList] = .failed
    }
    let error = await #expect(throws: SourceError.self) { try await adapters(kernel) }
    #expect(error?.kind == .lost)
  }
}
