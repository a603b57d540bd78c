import Bluetooth
import Diagnosis
import EventLoop
import Synchronization
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10)))
struct AdapterFinderTests {
  private static let first = BluetoothAddress(value: 0xF0F1_F2F3_F410)
  private static let second = BluetoothAddress(value: 0x0011_2233_4455)

  private func find(_ kernel: FakeKernel, _ target: AdapterTarget) async throws -> UInt16 {
    let mgmt = MgmtSocket(reactor: Reactor(name: "finder"))
    try await mgmt.open(on: kernel)
    do {
      let found = try await AdapterFinder(mgmt: mgmt, host: kernel).find(target)
      await mgmt.close()
      return found.index
    } catch {
      await mgmt.close()
      throw error
    }
  }

  private func problem(_ kernel: FakeKernel, _ selector: AdapterSelector? = nil) async throws
    -> SourceError
  {
    try #require(
      await #expect(throws: SourceError.self) {
        _ = try await find(kernel, AdapterTarget(selector))
      })
  }

  /// One without LE, one that is off, one that is on.
  private let three = FakeKernel([
    0: FakeAdapter(address: .init(value: 1), supported: 1, settings: 1),
    1: FakeAdapter(address: first), 4: FakeAdapter(address: second, settings: 1 << 9 | 1),
  ])

  @Test func prefersWhatIsOnAndHasLowEnergy() async throws {
    #expect(try await find(three, AdapterTarget(nil)) == 4)
    three.change(4) { $0.settings &= ~1 }
    #expect(try await find(three, AdapterTarget(nil)) == 1)
  }

  @Test func takesTheOneAskedFor() async throws {
    #expect(try await find(three, AdapterTarget(.index(1))) == 1)
    #expect(try await find(three, AdapterTarget(.address(Self.second))) == 4)
  }

  /// An adapter that is unplugged and plugged in again gets another number.
  @Test func findsItAgainByItsAddress() async throws {
    let target = AdapterTarget(.index(1))
    #expect(try await find(three, target) == 1)
    three.state.withLock { state in
      state.adapters[9] = state.adapters[1]
      state.adapters[1] = FakeAdapter(address: BluetoothAddress(value: 0x77))
    }
    #expect(try await find(three, target) == 9)
    #expect(target.name == "hci9")
  }

  @Test func saysWhatThereIsInstead() async throws {
    let error = try await problem(three, .index(7))
    #expect(error.kind == .noAdapter)
    #expect(error.reason == "there is no adapter hci7")
    #expect(error.remedy?.description.contains("hci4 (00:11:22:33:44:55)") == true)
    let withoutLE = try await problem(three, .index(0))
    #expect(withoutLE.reason.contains("not support Bluetooth LE"))
  }

  @Test func saysThatThereIsNone() async throws {
    #expect(try await problem(FakeKernel()).kind == .noAdapter)
    let blocked = FakeKernel { state in
      state.files["/sys/class/rfkill/rfkill0/type"] = "bluetooth"
      state.files["/sys/class/rfkill/rfkill0/hard"] = "0"
      state.files["/sys/class/rfkill/rfkill0/soft"] = "1"
    }
    let error = try await problem(blocked)
    #expect(error.kind == .off && error.remedy?.description.contains("rfkill unblock") == true)
  }

  @Test func saysWhoHasIt() async throws {
    let kernel = FakeKernel { state in
      state.taken = [0]
      state.files["/proc/self/net/hci"] = "sk\n0 2 0 0 0 4711 0\n"
      state.files["/proc/312/comm"] = "btmon"
      state.links["/proc/312/fd/7"] = "socket:[4711]"
    }
    let error = try await problem(kernel)
    #expect(error.kind == .busy)
    #expect(error.reason.contains("btmon (312)"))
    let unconfigured = FakeKernel { $0.unconfigured = [2] }
    #expect(try await problem(unconfigured).kind == .off)
  }
}
