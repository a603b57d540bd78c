import Bluetooth
import Diagnosis
import EventLoop
import Foundation
import Glibc
import HCIHost
import LunaTesting
import Synchronization
import SystemBus
import Testing

@testable import BlueZ

/// Taking an adapter away from the kernel, and giving it back.
@Suite(.timeLimit(.minutes(10)))
struct ExclusiveAccessTests {
  private let reactor = Reactor(name: "exclusive")

  private func access(_ kernel: FakeKernel, _ selector: AdapterSelector? = nil) -> ExclusiveAccess {
    ExclusiveAccess(reactor: reactor, host: kernel, target: AdapterTarget(selector))
  }

  /// Opens it and closes it again; the error of opening, when there was one.
  private func problem(_ kernel: FakeKernel) async -> SourceError? {
    let access = access(kernel)
    do throws(SourceError) {
      try await use(access)
      return nil
    } catch {
      await access.close()
      return error
    }
  }

  private func use(_ access: ExclusiveAccess) async throws(SourceError) {
    let channel = try await access.open(on: reactor)
    channel.close()
    await access.close()
  }

  @Test func powersOffTakesAndGivesBack() async throws {
    let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)])
    let access = access(kernel)
    try await use(access)
    #expect(await access.adapter == 0)
    #expect(await access.name == "hci0")
    let powers = kernel.state.withLock { state in
      state.commands.filter { $0.opcode == MgmtOpcode.setPowered }.map(\.parameters)
    }
    #expect(powers == [[0], [1]])
    #expect(kernel[0]?.isPowered == true)
    #expect(kernel.controller >= 0)
  }

  @Test func whatWasOffStaysOff() async throws {
    let kernel = FakeKernel([0: FakeAdapter()])
    try await use(access(kernel))
    #expect(!kernel.changes.contains(MgmtOpcode.setPowered))
    #expect(kernel[0]?.isPowered == false)
  }

  /// bluetoothd may have powered it on first.
  @Test func doesNotPowerOnWhatIsOn() async throws {
    let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)])
    let access = access(kernel)
    let channel = try await access.open(on: reactor)
    #expect(kernel[0]?.isPowered == false)
    kernel.change(0) { $0.settings |= 1 }
    channel.close()
    await access.close()
    let powers = kernel.changes.filter { $0 == MgmtOpcode.setPowered }
    #expect(powers.count == 1)
  }

  @Test func connectionsAreNotCut() async throws {
    let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1, connections: 2)])
    let error = try #require(await problem(kernel))
    #expect(error.kind == .busy && error.reason == "hci0 has 2 connections")
    #expect(kernel[0]?.isPowered == true)
  }

  @Test func aScanOfBluetoothdIsNotEnded() async throws {
    let daemon = try #require(
      FakeDaemon { state in
        state.objects["/org/bluez/hci0"] = [
          "org.bluez.Adapter1": .properties(["Discovering": .bool(true)])
        ]
      })
    let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)]) { state in
      state.busAddress = daemon.address
    }
    let error = try #require(await problem(kernel))
    #expect(error.kind == .busy && error.reason.contains("bluetoothd scans"))
    #expect(kernel[0]?.isPowered == true)
    // Once it is over, the adapter can be had.
    daemon.state.withLock { state in
      state.objects["/org/bluez/hci0"]?["org.bluez.Adapter1"] = .properties([
        "Discovering": .bool(false)
      ])
    }
    #expect(await problem(kernel) == nil)
  }

  /// Where the bus can start it, it would take the adapter.
  @Test func bluetoothdIsNotStartedByAsking() async throws {
    let directory = NSTemporaryDirectory() + "luna-services-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: directory) }
    let services = directory + "/dbus-1/services"
    try FileManager.default.createDirectory(atPath: services, withIntermediateDirectories: true)
    let mark = directory + "/started"
    try "[D-BUS Service]\nName=org.bluez\nExec=/usr/bin/touch \(mark)\n"
      .write(toFile: services + "/org.bluez.service", atomically: true, encoding: .utf8)
    let bus = try #require(PrivateBus(data: directory), "dbus-daemon is not installed")
    let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)]) { state in
      state.busAddress = bus.address
    }
    #expect(await problem(kernel) == nil)
    #expect(!FileManager.default.fileExists(atPath: mark))
    bus.end()
  }

  @Test func withoutRightsItSaysWhatToDo() async throws {
    for isRoot in [false, true] {
      let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)]) { state in
        state.mayAdminister = false
        state.isRoot = isRoot
      }
      let error = try #require(await problem(kernel))
      #expect(error.kind == .noPermission)
      #expect(error.remedy?.description.contains(isRoot ? "CAP_NET_ADMIN" : "setcap") == true)
      #expect(kernel[0]?.isPowered == true)
    }
  }

  @Test(arguments: [
    (EBUSY, SourceError.Kind.busy), (EUSERS, .busy), (EPERM, .noPermission), (ENODEV, .lost),
  ])
  func whatCannotBeTakenIsPutBack(number: Int32, kind: SourceError.Kind) async throws {
    let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)]) { $0.userError = number }
    let error = try #require(await problem(kernel))
    #expect(error.kind == kind)
  }

  @Test func blockedAdaptersAreNamed() async throws {
    let kernel = FakeKernel([0: FakeAdapter()]) { state in
      state.files["/sys/class/bluetooth/hci0/rfkill1/hard"] = "0"
      state.files["/sys/class/bluetooth/hci0/rfkill1/soft"] = "1"
    }
    let error = try #require(await problem(kernel))
    #expect(error.kind == .off && error.remedy?.steps == [.unblockRadios])
  }

  @Test func aKernelWithoutBluetoothIsNamed() async throws {
    let kernel = FakeKernel { $0.socketError = EAFNOSUPPORT }
    #expect(await problem(kernel)?.kind == .noAdapter)
    #expect(await problem(FakeKernel())?.kind == .noAdapter)
  }
}
