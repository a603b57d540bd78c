import EventLoop
import Glibc
import Synchronization
import SystemBus
import Testing

@testable import BlueZ

/// What a machine tells of what stands before its radios.
@Suite(.timeLimit(.minutes(10)))
struct RadioSurveyTests {
  private let reactor = Reactor(name: "survey")

  private func survey(_ kernel: FakeKernel) -> RadioSurvey {
    RadioSurvey(reactor: reactor, host: kernel)
  }

  private static let up: UInt32 = 1 << 9 | 1

  @Test func tellsWhatTheKernelAllows() async {
    let kernel = FakeKernel([0: FakeAdapter(settings: Self.up)]) { state in
      state.mayMonitor = false
      state.files["/sys/class/rfkill/rfkill0/type"] = "bluetooth"
      state.files["/sys/class/rfkill/rfkill0/name"] = "hci0"
      state.files["/sys/class/rfkill/rfkill0/soft"] = "0"
    }
    let found = await survey(kernel).kernel()
    #expect(found.sockets == .available && found.problem == nil)
    #expect(found.adapters.map(\.state) == [.up])
    #expect(found.hardware[0]?.index == 0)
    #expect(found.switches == [RFKillSwitch(number: 0, name: "hci0", state: .unblocked)])
    #expect(!found.mayMonitor && found.mayAdminister)
    #expect(found.executable == "/opt/luna/bin/luna")
    #expect(!found.isHelperForbidden)
    kernel.state.withLock {
      $0.mayAdminister = false
      $0.helper = .forbidden
    }
    let other = await survey(kernel).kernel()
    #expect(!other.mayAdminister && other.isHelperForbidden)
  }

  @Test func changesNothing() async {
    let kernel = FakeKernel([0: FakeAdapter(settings: Self.up)])
    _ = await survey(kernel).kernel()
    _ = await survey(kernel).neighbours {}
    let changes: Set<UInt16> = [
      MgmtOpcode.setPowered, MgmtOpcode.startDiscovery, MgmtOpcode.stopDiscovery,
      MgmtOpcode.addPatternsMonitor, MgmtOpcode.setDefaultSystemConfiguration,
    ]
    #expect(kernel.state.withLock { Set($0.commands.map(\.opcode)) }.isDisjoint(with: changes))
  }

  @Test func tellsAContainerFromAKernelWithoutBluetooth() async {
    let kernel = FakeKernel { $0.socketError = EAFNOSUPPORT }
    guard case .absent(false, _) = await survey(kernel).kernel().sockets else {
      Issue.record("the kernel has none")
      return
    }
    kernel.state.withLock { $0.links["/sys/class/bluetooth/hci0"] = "../../devices/usb1" }
    guard case .absent(true, _) = await survey(kernel).kernel().sockets else {
      Issue.record("the kernel has Bluetooth")
      return
    }
    kernel.state.withLock { $0.socketError = EPERM }
    guard case .refused = await survey(kernel).kernel().sockets else {
      Issue.record("a filter stands before it")
      return
    }
  }

  private func daemon(_ prepare: (inout FakeDaemon.State) -> Void = { _ in }) throws -> FakeDaemon {
    try #require(
      FakeDaemon { state in
        state.objects["/org/bluez/hci0"] = [
          "org.bluez.Adapter1": .properties(["Powered": .bool(true), "Discovering": .bool(true)]),
          "org.bluez.AdvertisementMonitorManager1": .properties([:]),
        ]
        prepare(&state)
      })
  }

  @Test func tellsWhatBluetoothdSays() async throws {
    let daemon = try daemon()
    let kernel = FakeKernel { $0.busAddress = daemon.address }
    let found = await survey(kernel).daemon()
    #expect(found.access == .answers)
    #expect(found.processID == getpid())
    #expect(found.radios == [.init(index: 0, isPowered: true, isDiscovering: true)])
    #expect(found.isExperimental == true)
    daemon.stop()
    #expect(await survey(kernel).daemon().access == .notRunning)
    daemon.endBus()
    guard case .noBus = await survey(kernel).daemon().access else {
      Issue.record("the bus is gone")
      return
    }
  }

  @Test(arguments: [
    ("org.freedesktop.DBus.Error.AccessDenied", "denied"),
    ("org.freedesktop.DBus.Error.NoReply", "silent"),
    ("org.freedesktop.DBus.Error.ServiceUnknown", "notRunning"),
  ])
  func tellsWhyBluetoothdDoesNotAnswer(error: String, access: String) async throws {
    let daemon = try daemon { $0.errors["Introspect"] = [error] }
    let kernel = FakeKernel { $0.busAddress = daemon.address }
    let found = await survey(kernel).daemon()
    #expect("\(found.access)".hasPrefix(access))
    daemon.stop()
  }

  @Test func tellsWhoElseIsThere() async {
    let kernel = FakeKernel([0: FakeAdapter(settings: Self.up)]) { state in
      state.files["/proc/self/net/hci"] =
        "sk RefCnt Rmem Wmem User Inode Parent\n0 2 0 0 0 4711 0"
      state.files["/proc/9/comm"] = "btmgmt"
      state.links["/proc/9/fd/3"] = "socket:[4711]"
    }
    let name = Array("btmgmt".utf8) + [UInt8](repeating: 0, count: 10)
    let found = await survey(kernel).neighbours {
      kernel.tell(14, 0xFFFF, [1, 0, 0, 0, 2, 0, 1, 22, 0, 1, 0, 0, 0, 16] + name)
      kernel.tell(14, 0, [2, 0, 0, 0, 1, 0, 1, 22, 0, 1, 0, 0, 0, 16] + name)
      kernel.tell(15, 0, [2, 0, 0, 0])
      kernel.tell(17, 0, [1, 0, 0, 0, 2, 0, 0x23, 0, 0x0A])
      kernel.tell(17, 0, [1, 0, 0, 0, 2, 0, 0x15, 0, 0x0F])
      kernel.hear([0x3E, 2, 0x0D, 2], on: 0)
    }
    #expect(found.couldListen)
    #expect(found.programs == [.init(name: "btmgmt", use: .management)])
    #expect(found.holders == ["btmgmt (9)"])
    #expect(found.reports == [0: 2])
    #expect(found.refusals == [.init(command: "Start Discovery", status: "Busy")])
  }

  @Test func tellsWhoElseIsThereWithoutRights() async {
    let kernel = FakeKernel([0: FakeAdapter(settings: Self.up)]) { $0.mayMonitor = false }
    let found = await survey(kernel).neighbours {}
    #expect(!found.couldListen && found.programs.isEmpty)
  }
}
