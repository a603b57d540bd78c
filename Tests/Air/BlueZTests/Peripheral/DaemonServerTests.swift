import Bluetooth
import Testing

@testable import BlueZ
@testable import SystemBus

/// The calls that bluetoothd makes, and what is said to it: a scripted bus.
@Suite struct DaemonServerTests {
  private static let info = BluetoothUUID.bit16(0xAA01)
  private static let control = BluetoothUUID.bit16(0xAA02)
  private static let level = BluetoothUUID.bit16(0x2A07)
  private static let services = [
    GATTService(.bit16(0x1804), [.init(level, .read, constant: [0xFC, 1])]),
    GATTService(.bit16(0xAA00), [.init(info, .read), .init(control, [.write, .indicate])]),
  ]
  private static let peer = "/org/bluez/hci0/dev_C0_FF_EE_00_00_01"
  private static let other = "/org/bluez/hci0/dev_C0_FF_EE_00_00_02"
  private static let link = PeripheralLink(number: 0, serial: 1)
  private static let address = BluetoothAddress("C0:FF:EE:00:00:01")
  private static let characteristic = "org.bluez.GattCharacteristic1"

  private var server = DaemonServer(DaemonApplication(services))
  private var calls: UInt64 = 0

  private func path(_ uuid: BluetoothUUID) -> String { server.application.path(of: uuid) ?? "" }

  private mutating func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue] = []
  ) -> (actions: [DaemonServer.Action]?, token: BusMethodCall.Token) {
    calls += 1
    let call = BusMethodCall(
      token: BusMethodCall.Token(number: calls), sender: ":1.1", path: path, interface: interface,
      member: member, arguments: arguments)
    return (server.call(call), call.token)
  }

  private mutating func read(
    _ uuid: BluetoothUUID, offset: UInt16? = nil, mtu: UInt16 = 23,
    by device: String = DaemonServerTests.peer
  ) -> (actions: [DaemonServer.Action]?, token: BusMethodCall.Token) {
    var options: [BusValue.BusEntry] = [
      .init(.string("device"), .variant(.objectPath(device))),
      .init(.string("mtu"), .variant(.uint16(mtu))),
    ]
    if let offset { options.append(.init(.string("offset"), .variant(.uint16(offset)))) }
    return call(
      path(uuid), DaemonServerTests.characteristic, "ReadValue", [.dictionary(options)])
  }

  private mutating func write(
    _ uuid: BluetoothUUID, _ value: [UInt8], _ more: KeyValuePairs<String, BusValue> = [:],
    by device: String = DaemonServerTests.peer
  ) -> (actions: [DaemonServer.Action]?, token: BusMethodCall.Token) {
    let options =
      [BusValue.BusEntry(.string("device"), .variant(.objectPath(device)))]
      + more.map { BusValue.BusEntry(.string($0.key), .variant($0.value)) }
    return call(
      path(uuid), DaemonServerTests.characteristic, "WriteValue",
      [.bytes(value), .dictionary(options)])
  }

  private func error(_ actions: [DaemonServer.Action]?) -> String? {
    guard case .reply(.error(let name, _), _) = actions?.first else { return nil }
    return name
  }

  @Test mutating func tellsItsTree() throws {
    let (actions, _) = call(
      DaemonApplication.root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    guard case .reply(.values(let values), _)? = actions?.first else {
      Issue.record("no tree: \(String(describing: actions))")
      return
    }
    let tree = try #require(values.first)
    #expect(tree.typeSignature == "a{oa{sa{sv}}}")
    #expect(tree.entries?.count == 5)
    let service = tree["\(DaemonApplication.root)/service1"]?["org.bluez.GattService1"]
    #expect(service?["UUID"]?.text == "aa00")
    #expect(service?["Primary"]?.flag == true)
    let written = tree[path(DaemonServerTests.control)]?[DaemonServerTests.characteristic]
    #expect(written?["Flags"]?.elements == [.string("write"), .string("indicate")])
    #expect(written?["Service"]?.text == "\(DaemonApplication.root)/service1")
    let (all, _) = call(
      path(DaemonServerTests.info), "org.freedesktop.DBus.Properties", "GetAll",
      [.string(DaemonServerTests.characteristic)])
    guard case .reply(.values(let properties), _)? = all?.first else {
      Issue.record("no properties")
      return
    }
    #expect(properties.first?["UUID"]?.text == "aa01")
    #expect(call(path(DaemonServerTests.info), "a.b", "C").actions == nil)
    #expect(call("/elsewhere", DaemonServerTests.characteristic, "ReadValue").actions == nil)
  }

  @Test mutating func readsAndTellsWhoConnected() {
    let first = read(DaemonServerTests.info, mtu: 64)
    #expect(
      first.actions == [
        .event(.connected(DaemonServerTests.address), DaemonServerTests.link),
        .event(.mtu(64), DaemonServerTests.link),
        .event(.read(DaemonServerTests.info, offset: 0), DaemonServerTests.link),
      ])
    #expect(
      server.respond(.value([1, 2]), on: DaemonServerTests.link)
        == [.reply(.values([.bytes([1, 2])]), first.token)])
    let second = read(DaemonServerTests.info, offset: 22, mtu: 64)
    #expect(
      second.actions == [
        .event(.read(DaemonServerTests.info, offset: 22), DaemonServerTests.link)
      ])
    #expect(
      server.respond(.refused(.invalidOffset), on: DaemonServerTests.link).first
        == .reply(
          .error("org.bluez.Error.InvalidOffset", "\(ATTErrorCode.invalidOffset)"), second.token))
    #expect(server.respond(.written, on: DaemonServerTests.link).isEmpty)
  }

  @Test mutating func readsConstantsAtOnce() {
    let (actions, token) = read(DaemonServerTests.level, offset: 1)
    #expect(actions == [.reply(.values([.bytes([1])]), token)])
    #expect(
      error(read(DaemonServerTests.level, offset: 3).actions) == "org.bluez.Error.InvalidOffset")
    #expect(server.device == nil, "that is no connection yet")
  }

  @Test mutating func aValueBeginsNowhereBeforeItsBeginning() {
    for offset in [BusValue.int16(-1), .int64(.min)] {
      let options = BusValue.properties([
        "device": .objectPath(DaemonServerTests.peer), "offset": offset,
      ])
      for uuid in [DaemonServerTests.level, DaemonServerTests.info] {
        let (actions, _) = call(
          path(uuid), DaemonServerTests.characteristic, "ReadValue", [options])
        #expect(error(actions) == "org.bluez.Error.InvalidOffset")
      }
    }
    #expect(server.device == nil)
  }

  @Test mutating func writes() {
    let (actions, token) = write(DaemonServerTests.control, [1, 2, 3])
    #expect(
      actions?.last == .event(.write(DaemonServerTests.control, [1, 2, 3]), DaemonServerTests.link))
    #expect(
      server.respond(.written, on: DaemonServerTests.link) == [.reply(.values([]), token)])
    #expect(
      error(write(DaemonServerTests.control, [1], ["offset": .uint16(1)]).actions)
        == "org.bluez.Error.InvalidOffset")
    #expect(
      error(write(DaemonServerTests.control, [UInt8](repeating: 0, count: 513)).actions)
        == "org.bluez.Error.InvalidValueLength")
    #expect(error(write(DaemonServerTests.info, [1]).actions) == "org.bluez.Error.NotPermitted")
    #expect(error(read(DaemonServerTests.control).actions) == "org.bluez.Error.NotPermitted")
    let asked = write(DaemonServerTests.control, [1], ["prepare-authorize": .bool(true)])
    #expect(asked.actions == [.reply(.values([]), asked.token)])
  }

  @Test mutating func servesOnePeerAtATime() {
    _ = read(DaemonServerTests.info)
    #expect(
      error(read(DaemonServerTests.info, by: DaemonServerTests.other).actions)
        == "org.bluez.Error.Failed")
    #expect(server.disconnected(DaemonServerTests.other).isEmpty)
    let waiting = server.disconnected(DaemonServerTests.peer)
    #expect(waiting.count == 2)
    #expect(waiting.last == .event(.disconnected, DaemonServerTests.link))
    // An answer that comes too late reaches nobody.
    let next = read(DaemonServerTests.info, by: DaemonServerTests.other)
    #expect(
      next.actions?.last
        == .event(.read(DaemonServerTests.info, offset: 0), PeripheralLink(number: 0, serial: 2)))
    #expect(server.respond(.value([9]), on: DaemonServerTests.link).isEmpty)
    #expect(server.respond(.value([9]), on: PeripheralLink(number: 0, serial: 2)).count == 1)
  }

  @Test mutating func answersInTheOrderOfTheQuestions() {
    let first = read(DaemonServerTests.info)
    let second = read(DaemonServerTests.info, offset: 1)
    #expect(
      server.respond(.value([1]), on: DaemonServerTests.link) == [
        .reply(.values([.bytes([1])]), first.token)
      ])
    #expect(
      server.respond(.value([2]), on: DaemonServerTests.link) == [
        .reply(.values([.bytes([2])]), second.token)
      ])
    for _ in 0..<8 { _ = read(DaemonServerTests.info) }
    #expect(error(read(DaemonServerTests.info).actions) == "org.bluez.Error.InProgress")
  }

  @Test mutating func indicates() {
    #expect(server.indicate([1], of: DaemonServerTests.control, on: DaemonServerTests.link).isEmpty)
    _ = write(DaemonServerTests.control, [1])
    let path = path(DaemonServerTests.control)
    #expect(
      server.indicate([7], of: DaemonServerTests.control, on: DaemonServerTests.link)
        == [.indicate([7], path: path)])
    #expect(server.indicate([7], of: .bit16(0xBBBB), on: DaemonServerTests.link).isEmpty)
  }

  @Test mutating func disconnectsWhenAllIsConfirmed() {
    _ = write(DaemonServerTests.control, [1])
    _ = server.indicate([7], of: DaemonServerTests.control, on: DaemonServerTests.link)
    #expect(server.finish(DaemonServerTests.link).isEmpty)
    #expect(error(read(DaemonServerTests.info).actions) == "org.bluez.Error.Failed")
    #expect(server.hurry(DaemonServerTests.link) == [.disconnect(path: DaemonServerTests.peer)])
    let (actions, _) = call(
      path(DaemonServerTests.control), DaemonServerTests.characteristic, "Confirm")
    #expect(actions?.last == .disconnect(path: DaemonServerTests.peer))
    server = DaemonServer(DaemonApplication(DaemonServerTests.services))
    _ = read(DaemonServerTests.info)
    #expect(server.finish(DaemonServerTests.link) == [.disconnect(path: DaemonServerTests.peer)])
  }
}
