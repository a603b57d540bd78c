import EventLoop
import LunaTesting
import SystemBus
import Testing

@testable import BlueZ

/// A bluetoothd on a bus of its own that does what a test wants: one adapter, one peer with a
/// service of one characteristic, which echoes.
actor ScriptedBluetoothd: ReactorActor {
  /// What Device1.Connect answers.
  enum Answer {
    /// The peer connects.
    case connects
    /// An error: its name, and its text.
    case fails(String, String)
    /// Well, although the attempt was aborted.
    case connectsAndAborts
    /// Nothing.
    case nothing
  }

  /// What was asked of it.
  struct Counts: Equatable, Sendable {
    var discoveries = 0
    var connects = 0
    var disconnects = 0
    var removals = 0
  }

  static let adapter = "/org/bluez/hci0"
  static let peer = adapter + "/dev_E7_1A_00_00_00_01"
  static let service = peer + "/service0010"
  static let characteristic = service + "/char0011"

  nonisolated let reactor = Reactor.shared

  private let bus: PrivateBus
  /// Where its bus is.
  nonisolated let address: String
  private let connection = BusConnection()
  private var value: [UInt8] = [1, 2, 3]
  private var lookups = 0

  nonisolated let counted = Watched(Counts())
  nonisolated var counts: Counts { counted.value }
  private(set) var isKnown = false
  private(set) var isConnected = false
  /// Answers for the next attempts; afterwards the peer connects.
  var answers: [Answer] = []
  /// Whether a discovery hears the peer.
  var isHeard = true
  /// How often the services are looked for in vain.
  var emptyLookups = 0
  var isTrusted = false
  /// What the property MTU is.
  var mtu = BusValue.uint16(64)
  var type = "random"
  /// What ReadValue answers instead of the value.
  var readError: (String, String)?
  /// Whether the connection breaks with that.
  var endsWithReadError = false

  init() async throws {
    bus = try #require(PrivateBus(), "dbus-daemon is not installed")
    address = bus.address
    try await start()
  }

  func set(_ change: @Sendable (isolated ScriptedBluetoothd) -> Void) { change(self) }

  /// Appears on the bus.
  func start() async throws {
    try await connection.open(address: address)
    try await export(ScriptedBluetoothd.adapter) { $0.adapterCall($1) }
    try await connection.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
      [.string("org.bluez"), .uint32(0)])
  }

  /// Disappears from the bus.
  func end() async {
    isKnown = false
    isConnected = false
    await connection.close()
  }

  private func export(
    _ path: String,
    _ handler: @escaping @Sendable (isolated ScriptedBluetoothd, BusMethodCall) -> BusMethodReply?
  ) async throws {
    try await connection.export(path) { [weak self] call in
      self?.assumeIsolated { handler($0, call) } ?? nil
    }
  }

  private func emit(_ path: String, _ interface: String, _ member: String, _ values: [BusValue]) {
    let connection = connection
    Task { try? await connection.emit(path, interface, member, values) }
  }

  private func change(_ path: String, _ interface: String, _ properties: BusValue) {
    emit(
      path, DaemonScan.propertiesInterface, "PropertiesChanged",
      [.string(interface), properties, .array([])])
  }

  private func adapterCall(_ call: BusMethodCall) -> BusMethodReply? {
    switch call.member {
    case "Get": return .values([.variant(.bool(true))])
    case "SetDiscoveryFilter": return .values([])
    case "StartDiscovery":
      counted.withLock { $0.discoveries += 1 }
      if isHeard { Task { try await appear() } }
      return .values([])
    case "RemoveDevice":
      guard isKnown else { return .error("org.bluez.Error.DoesNotExist", "Does Not Exist") }
      counted.withLock { $0.removals += 1 }
      Task { await vanish() }
      return .values([])
    default: return nil
    }
  }

  /// The adapter goes.
  func losePower() {
    change(
      ScriptedBluetoothd.adapter, DaemonScan.adapterInterface,
      .properties(["Powered": .bool(false)]))
  }

  /// The peer is known from now on.
  func appear() async throws {
    guard !isKnown else { return }
    isKnown = true
    try await export(ScriptedBluetoothd.peer) { $0.peerCall($1) }
    try await export(ScriptedBluetoothd.service) { $0.serviceCall($1) }
    try await export(ScriptedBluetoothd.characteristic) { $0.characteristicCall($1) }
    emit(
      "/", DaemonPath.objectManager, "InterfacesAdded",
      [
        .objectPath(ScriptedBluetoothd.peer),
        .dictionary([BusValue.BusEntry(.string(DaemonPath.device), properties)]),
      ])
  }

  /// bluetoothd forgets the peer.
  func vanish() async {
    isKnown = false
    isConnected = false
    for path in [
      ScriptedBluetoothd.characteristic, ScriptedBluetoothd.service, ScriptedBluetoothd.peer,
    ] { await connection.withdraw(path) }
    emit(
      "/", DaemonPath.objectManager, "InterfacesRemoved",
      [.objectPath(ScriptedBluetoothd.peer), .array([.string(DaemonPath.device)])])
  }

  private var properties: BusValue {
    .properties([
      "Address": .string("E7:1A:00:00:00:01"), "AddressType": .string(type),
      "Connected": .bool(isConnected), "ServicesResolved": .bool(isConnected),
      "Paired": .bool(false), "Trusted": .bool(isTrusted),
    ])
  }

  private func peerCall(_ call: BusMethodCall) -> BusMethodReply? {
    switch call.member {
    case "GetAll": return .values([properties])
    case "Get": return .values([properties[call.arguments[1].text ?? ""] ?? .variant(.bool(false))])
    case "Introspect":
      lookups += 1
      return .values([.string(lookups > emptyLookups ? node("service0010") : node(nil))])
    case "Connect":
      counted.withLock { $0.connects += 1 }
      switch answers.isEmpty ? .connects : answers.removeFirst() {
      case .connects:
        setConnected(true)
        return .values([])
      case .connectsAndAborts: return .values([])
      case .fails(let name, let text): return .error(name, text)
      case .nothing: return .later
      }
    case "Disconnect":
      counted.withLock { $0.disconnects += 1 }
      if isConnected { setConnected(false) }
      return .values([])
    default: return nil
    }
  }

  /// The connection comes, or breaks.
  func setConnected(_ flag: Bool) {
    isConnected = flag
    change(
      ScriptedBluetoothd.peer, DaemonPath.device,
      .properties(["Connected": .bool(flag), "ServicesResolved": .bool(flag)]))
  }

  private func node(_ child: String?) -> String {
    "<node>" + (child.map { "<node name=\"\($0)\"/>" } ?? "") + "</node>"
  }

  private func serviceCall(_ call: BusMethodCall) -> BusMethodReply? {
    switch call.member {
    case "Introspect": .values([.string(node("char0011"))])
    case "Get": .values([.variant(.string("00001804-0000-1000-8000-00805f9b34fb"))])
    default: nil
    }
  }

  private func characteristicCall(_ call: BusMethodCall) -> BusMethodReply? {
    switch call.member {
    case "GetAll":
      return .values([
        .properties([
          "UUID": .string("00002a07-0000-1000-8000-00805f9b34fb"),
          "Flags": .array([.string("read"), .string("write"), .string("indicate")]),
        ])
      ])
    case "Get": return .values([.variant(mtu)])
    case "StartNotify": return .values([])
    case "ReadValue":
      if let (name, text) = readError {
        if endsWithReadError {
          let (connection, token) = (connection, call.token)
          Task {
            await connection.reply(.error(name, text), to: token)
            setConnected(false)
          }
          return .later
        }
        return .error(name, text)
      }
      // As bluetoothd does: what was read is told to everybody, before the answer.
      send(value)
      let (connection, token, value) = (connection, call.token, value)
      Task { await connection.reply(.values([.bytes(value)]), to: token) }
      return .later
    case "WriteValue":
      value = call.arguments.first?.byteArray ?? []
      return .values([])
    default: return nil
    }
  }

  /// The peer indicates a value.
  func send(_ value: [UInt8]) {
    change(
      ScriptedBluetoothd.characteristic, DaemonPath.characteristic,
      .properties(["Value": .bytes(value)]))
  }
}
