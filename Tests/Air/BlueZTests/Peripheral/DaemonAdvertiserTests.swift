import Bluetooth
import Diagnosis
import EventLoop
import LunaTesting
import SystemBus
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10))) struct DaemonAdvertiserTests {
  private static let value = BluetoothUUID.bit16(0xAA01)
  private static let services = [
    GATTService(.bit16(0xAA00), [.init(value, [.read, .write, .indicate])])
  ]
  private static let advertisement = Advertisement(
    address: BluetoothAddress(value: 0xC0FF_EE00_0002), pdu: .advInd, data: [2, 1, 6],
    scanResponse: [], interval: 1000)

  private let daemon: ScriptedManager
  private let advertiser: DaemonAdvertiser
  private let events: AsyncStream<(PeripheralEvent, PeripheralLink)>
  private let sink: AsyncStream<(PeripheralEvent, PeripheralLink)>.Continuation

  init() async throws {
    daemon = try await ScriptedManager()
    let address = daemon.address
    advertiser = DaemonAdvertiser(
      reactor: .shared, host: FakeKernel { $0.busAddress = address }, target: AdapterTarget(nil))
    (events, sink) = AsyncStream.makeStream()
  }

  private func open() async throws -> AdvertiserSummary {
    try await advertiser.open(count: 1, serving: DaemonAdvertiserTests.services) { [sink] in
      sink.yield(($0, $1))
    }
  }

  /// A peer connects, reads, and stays.
  private func connect() async throws {
    let application = DaemonApplication(DaemonAdvertiserTests.services)
    let path = try #require(application.path(of: DaemonAdvertiserTests.value))
    async let read = daemon.read(path)
    var iterator = events.makeAsyncIterator()
    let (_, link) = try #require(await iterator.next())
    await advertiser.respond(.value([]), on: link)
    _ = try await read
  }

  /// bluetoothd ends, and with it every connection.
  private func endDaemon() async {
    await daemon.end()
    for await (event, _) in events where event == .disconnected { return }
  }

  @Test func servesOverTheBus() async throws {
    let summary = try await open()
    #expect(summary.name == "dbus:hci0")
    #expect(!summary.deviations.contains { $0.contains("no GATT server") })
    let tree = try #require(try await daemon.tree())
    let entries = try #require(tree.entries)
    let path = try #require(
      entries.first { $0.value[DaemonApplication.characteristicInterface] != nil }?.key.text)
    var iterator = events.makeAsyncIterator()
    async let read = daemon.read(path)
    let (connected, link) = try #require(await iterator.next())
    #expect(connected == .connected(BluetoothAddress("C0:FF:EE:00:00:01")))
    #expect(await iterator.next()?.0 == .mtu(64))
    #expect(await iterator.next()?.0 == .read(DaemonAdvertiserTests.value, offset: 0))
    await advertiser.respond(.value([1, 2, 3]), on: link)
    #expect(try await read == [1, 2, 3])
    // The same value twice: both are told.
    await advertiser.indicate([9], of: DaemonAdvertiserTests.value, on: link)
    await advertiser.indicate([9], of: DaemonAdvertiserTests.value, on: link)
    try await daemon.indicated.until { $0 == [[9], [9]] }
    try await daemon.disconnect()
    #expect(await iterator.next()?.0 == .disconnected)
    await advertiser.close()
    try await daemon.called.until { $0.last == "UnregisterApplication" }
  }

  @Test func advertisesAgainAfterAConnectionThatKeptItFromIt() async throws {
    _ = try await open()
    try await connect()
    await daemon.refuseAdvertisements(true)
    try await advertiser.advertise(DaemonAdvertiserTests.advertisement, as: 0)
    #expect(daemon.called.value.last == "refused")
    await daemon.refuseAdvertisements(false)
    try await daemon.disconnect()
    try await daemon.called.until { $0.last == "RegisterAdvertisement" }
    // With nobody connected a refusal is an error.
    await daemon.refuseAdvertisements(true)
    let error = await #expect(throws: SourceError.self) {
      try await advertiser.advertise(DaemonAdvertiserTests.advertisement, as: 0)
    }
    #expect(error?.kind == .lost)
    await advertiser.close()
  }

  @Test func isLostWithBluetoothd() async throws {
    _ = try await open()
    try await connect()
    await endDaemon()
    let error = await #expect(throws: SourceError.self) {
      try await advertiser.advertise(DaemonAdvertiserTests.advertisement, as: 0)
    }
    #expect(error?.reason == "bluetoothd was stopped")
    await advertiser.close()
  }

  /// With bluetoothd went what was registered: a call would only have the bus start it again.
  @Test func asksNothingMoreWhenBluetoothdHasEnded() async throws {
    _ = try await open()
    try await advertiser.advertise(DaemonAdvertiserTests.advertisement, as: 0)
    try await connect()
    await endDaemon()
    let (called, next) = (Watched<[String]>([]), BusConnection())
    try await next.open(address: daemon.address)
    try await next.export(ScriptedManager.adapter) { call in
      called.withLock { $0.append(call.member) }
      return .values([])
    }
    try await next.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
      [.string("org.bluez"), .uint32(0)])
    await #expect(throws: SourceError.self) { try await advertiser.silence(0) }
    await advertiser.close()
    #expect(called.value.isEmpty)
    await next.close()
  }
}
