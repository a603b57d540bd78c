import Bluetooth
import Diagnosis
import EventLoop
import Synchronization
import SystemBus
import Testing

@testable import BlueZ

/// Scanning through bluetoothd, which a test plays.
@Suite(.timeLimit(.minutes(10)))
struct DBusSessionTests {
  private static let adapter = "/org/bluez/hci0"
  private static let device = adapter + "/dev_C0_FF_EE_00_00_01"

  private let reactor = Reactor(name: "dbus-session")
  private let queue = ReportQueue(capacity: 100)
  private let faults = Faults()
  private let daemon: FakeDaemon
  private let kernel: FakeKernel

  private final class Faults: Sendable {
    let stream: AsyncStream<SourceError?>
    let continuation: AsyncStream<SourceError?>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    var first: SourceError? {
      get async {
        for await fault in stream { return fault }
        return nil
      }
    }
  }

  init() throws {
    let daemon = try #require(
      FakeDaemon { state in
        state.objects[Self.adapter] = [
          "org.bluez.Adapter1": .properties([
            "Address": .string("F0:F1:F2:F3:F4:10"), "Powered": .bool(true),
            "Discovering": .bool(false),
          ])
        ]
        state.objects[Self.device] = ["org.bluez.Device1": Self.properties(rssi: -70)]
      })
    self.daemon = daemon
    kernel = FakeKernel { $0.busAddress = daemon.address }
  }

  private static func properties(rssi: Int16) -> BusValue {
    .properties([
      "Address": .string("C0:FF:EE:00:00:01"), "AddressType": .string("random"),
      "RSSI": .int16(rssi), "Name": .string("Luna"),
      "ManufacturerData": .dictionary([
        BusValue.BusEntry(.uint16(0xFFFF), .variant(.bytes([0x11, 0x22])))
      ]),
    ])
  }

  private func session(_ selector: AdapterSelector? = nil) -> DBusSession {
    let faults = faults
    return DBusSession(
      reactor: reactor,
      outlet: ScanOutlet(queue: queue) { faults.continuation.yield($0) }, host: kernel,
      target: AdapterTarget(selector), options: ScanOptions())
  }

  private func openingProblem(_ selector: AdapterSelector? = nil) async -> SourceError? {
    let session = session(selector)
    do throws(SourceError) {
      _ = try await session.open()
      await session.close()
      return nil
    } catch {
      await session.close()
      return error
    }
  }

  @Test func asksForEveryAdvertisement() async throws {
    let session = session()
    let summary = try await session.open()
    #expect(summary.name == "hci0" && summary.clause.contains("bluetoothd scans"))
    let filter = try #require(daemon.calls("SetDiscoveryFilter").first?.arguments.first)
    #expect(filter["Transport"]?.text == "le")
    #expect(filter["DuplicateData"]?.flag == true)
    #expect(filter["RSSI"]?.integer == -127)
    #expect(daemon.calls("StartDiscovery").map(\.path) == [Self.adapter])
    await session.close()
    // It ends with the connection; calling StopDiscovery would end that of others.
    #expect(daemon.calls("StopDiscovery").isEmpty)
  }

  @Test func aPauseLeavesBluetoothdNothingToEndLater() async throws {
    let session = session()
    _ = try await session.open()
    await session.pause()
    #expect(daemon.calls("StopDiscovery").map(\.path) == [Self.adapter])
    // Without a filter bluetoothd forgets who does not discover.
    #expect(daemon.calls("SetDiscoveryFilter").last?.arguments == [.properties([:])])
    daemon.change(Self.adapter, "org.bluez.Adapter1", ["Discovering": .bool(false)])
    try await session.resume()
    #expect(daemon.calls("StartDiscovery").count == 2)
    let filter = try #require(daemon.calls("SetDiscoveryFilter").last?.arguments.first)
    #expect(filter["DuplicateData"]?.flag == true)
    // That it ends now is a fault, and the only one.
    daemon.change(Self.adapter, "org.bluez.Adapter1", ["Discovering": .bool(false)])
    #expect(await faults.first?.reason == "bluetoothd has ended the discovery")
    await session.close()
    #expect(daemon.calls("StopDiscovery").count == 1)
  }

  @Test func newDevicesAndChangesBecomeReports() async throws {
    let session = session()
    _ = try await session.open()
    daemon.emit(
      "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
      [
        .objectPath(Self.device),
        .dictionary([
          BusValue.BusEntry(.string("org.bluez.Device1"), Self.properties(rssi: -61))
        ]),
      ])
    let first = try #require(try await queue.next()?.first)
    #expect(first.address.description == "C0:FF:EE:00:00:01" && first.addressType == .random)
    #expect(first.rssi == -61 && first.adapter == 0 && first.pduType == nil)
    #expect(
      first.payload.bytes
        == [0x05, 0xFF, 0xFF, 0xFF, 0x11, 0x22, 0x05, 0x09] + Array("Luna".utf8))
    daemon.change(Self.device, "org.bluez.Device1", ["RSSI": .int16(-50)])
    let second = try #require(try await queue.next()?.first)
    #expect(second.rssi == -50 && second.payload == first.payload)
    // What does not come from the air is no report; the next one that does is.
    daemon.change(Self.device, "org.bluez.Device1", ["Connected": .bool(true)])
    daemon.change(Self.device, "org.bluez.Device1", ["RSSI": .int16(-49)])
    #expect(try await queue.next()?.map(\.rssi) == [-49])
    await session.close()
    #expect(queue.counters.packets == 4)
  }

  /// Any user may send a signal to a connection: neither advertisements nor faults are made of that.
  @Test func strangersAreNotBelieved() async throws {
    let session = session()
    _ = try await session.open()
    func added(_ rssi: Int16) -> [BusValue] {
      [
        .objectPath(Self.device),
        .dictionary([BusValue.BusEntry(.string("org.bluez.Device1"), Self.properties(rssi: rssi))]),
      ]
    }
    let manager = "org.freedesktop.DBus.ObjectManager"
    #expect(
      Stranger.send(
        [("/", manager, "InterfacesAdded", added(-10)), Stranger.end], at: daemon.address))
    daemon.emit("/", manager, "InterfacesAdded", added(-61))
    #expect(try await queue.next()?.map(\.rssi) == [-61])
    await session.close()
    faults.continuation.finish()
    #expect(await faults.first == nil)
  }

  /// bluetoothd keeps devices that it heard before we came, and tells their changes alone.
  @Test func devicesThatWereThereBeforeAreAskedFor() async throws {
    let session = session()
    _ = try await session.open()
    for _ in 0..<3 { daemon.change(Self.device, "org.bluez.Device1", ["RSSI": .int16(-55)]) }
    let report = try #require(try await queue.next()?.first)
    #expect(report.payload.count > 0 && report.address.description == "C0:FF:EE:00:00:01")
    let asked = daemon.calls("GetAll").filter { $0.path == Self.device }
    #expect(asked.count == 1)
    await session.close()
  }

  @Test func otherAdaptersAreNoneOfOurs() async throws {
    let session = session(.index(0))
    _ = try await session.open()
    let other = "/org/bluez/hci1/dev_C0_FF_EE_00_00_02"
    daemon.emit(
      "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
      [
        .objectPath(other),
        .dictionary([
          BusValue.BusEntry(.string("org.bluez.Device1"), Self.properties(rssi: -61))
        ]),
      ])
    daemon.change(other, "org.bluez.Device1", ["RSSI": .int16(-50)])
    daemon.change(Self.device, "org.bluez.Device1", ["RSSI": .int16(-44)])
    #expect(try await queue.next()?.map(\.address.description) == ["C0:FF:EE:00:00:01"])
    await session.close()
  }

  @Test func whatEndsTheScanIsTold() async throws {
    for (properties, kind) in [
      (["Powered": .bool(false)], .off), (["Discovering": .bool(false)], .lost),
    ] as [(KeyValuePairs<String, BusValue>, SourceError.Kind)] {
      let session = session()
      _ = try await session.open()
      daemon.change(Self.adapter, "org.bluez.Adapter1", properties)
      #expect(await faults.first?.kind == kind)
      await session.close()
    }
    let removed = session()
    _ = try await removed.open()
    daemon.emit(
      "/", "org.freedesktop.DBus.ObjectManager", "InterfacesRemoved",
      [.objectPath(Self.adapter), .array([.string("org.bluez.Adapter1")])])
    #expect(await faults.first?.kind == .noAdapter)
    await removed.close()
  }

  @Test func aDaemonThatStopsIsTold() async throws {
    let session = session()
    _ = try await session.open()
    daemon.stop()
    let fault = await faults.first
    #expect(fault?.kind == .lost && fault?.reason == "bluetoothd was stopped")
    await session.close()
    let error = try #require(await openingProblem())
    #expect(error.kind == .noAdapter && error.reason.contains("does not run"))
  }

  @Test func aBusThatStopsIsTold() async throws {
    let session = session()
    _ = try await session.open()
    daemon.endBus()
    #expect(await faults.first?.kind == .lost)
    await session.close()
    #expect(await openingProblem()?.reason.contains("the system bus cannot be used") == true)
  }

  @Test(arguments: [
    ("org.bluez.Error.NotReady", SourceError.Kind.off),
    ("org.freedesktop.DBus.Error.AccessDenied", .noPermission),
    ("org.bluez.Error.Failed", .lost),
  ])
  func refusalsAreNamed(name: String, kind: SourceError.Kind) async throws {
    daemon.state.withLock { $0.errors["StartDiscovery"] = [name] }
    #expect(await openingProblem()?.kind == kind)
  }

  /// It stands for many failures that pass.
  @Test func aBusyControllerIsAskedAgain() async throws {
    daemon.state.withLock {
      $0.errors["StartDiscovery"] = Array(repeating: "org.bluez.Error.InProgress", count: 2)
    }
    #expect(await openingProblem() == nil)
    #expect(daemon.calls("StartDiscovery").count == 3)
  }

  @Test func saysWhatThereIsInstead() async throws {
    let error = try #require(await openingProblem(.index(5)))
    #expect(error.kind == .noAdapter && error.remedy == "there is hci0")
    daemon.state.withLock { $0.objects[Self.adapter] = nil }
    #expect(await openingProblem()?.reason == "bluetoothd knows no adapter")
  }

  @Test func anAdapterThatIsOffIsNamed() async throws {
    daemon.state.withLock { state in
      state.objects[Self.adapter]?["org.bluez.Adapter1"] = .properties(["Powered": .bool(false)])
    }
    #expect(await openingProblem()?.kind == .off)
  }
}
