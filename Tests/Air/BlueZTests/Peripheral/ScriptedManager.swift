import EventLoop
import LunaTesting
import SystemBus
import Testing

@testable import BlueZ

/// A bluetoothd on a bus of its own that takes services and advertisements, and asks for values as
/// a test wants.
actor ScriptedManager: ReactorActor {
  static let adapter = "/org/bluez/hci0"
  static let peer = adapter + "/dev_C0_FF_EE_00_00_01"

  nonisolated let reactor = Reactor.shared

  // Ended with this object.
  private let bus: PrivateBus
  nonisolated let address: String
  private let relay: Relay
  private let connection: BusConnection

  /// Who registered the services.
  private(set) var owner = ""
  /// What was called, in order.
  nonisolated let called = Watched<[String]>([])
  /// Whether RegisterAdvertisement is refused.
  var refusesAdvertisements = false
  /// The values of PropertiesChanged signals.
  nonisolated let indicated = Watched<[[UInt8]]>([])

  private final class Relay: Sendable {
    nonisolated(unsafe) weak var manager: ScriptedManager?
  }

  init() async throws {
    bus = try #require(PrivateBus(), "dbus-daemon is not installed")
    address = bus.address
    let relay = Relay()
    self.relay = relay
    connection = BusConnection(onSignal: { signal in
      guard signal.isSignal("org.freedesktop.DBus.Properties", "PropertiesChanged") else { return }
      let arguments = signal.arguments
      relay.manager?.assumeIsolated { manager in
        guard let value = arguments[1]["Value"]?.byteArray else { return }
        manager.indicated.withLock { $0.append(value) }
      }
    })
    relay.manager = self
    try await connection.open(address: address)
    try await connection.addMatch("type='signal',member='PropertiesChanged'")
    for path in ["/org/bluez", ScriptedManager.adapter, ScriptedManager.peer] {
      try await connection.export(path) { [weak self] call in
        self?.assumeIsolated { $0.answer(call) } ?? nil
      }
    }
    try await connection.call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
      [.string("org.bluez"), .uint32(0)])
  }

  func refuseAdvertisements(_ refuses: Bool) { refusesAdvertisements = refuses }

  private func answer(_ call: BusMethodCall) -> BusMethodReply? {
    switch call.member {
    case "Introspect": return .values([.string("<node><node name=\"hci0\"/></node>")])
    case "GetAll": return .values([.properties(["Powered": .bool(true)])])
    case "Get": return .values([.variant(.byte(5))])
    case "RegisterApplication": owner = call.sender
    case "RegisterAdvertisement" where refusesAdvertisements:
      called.withLock { $0.append("refused") }
      return .error("org.bluez.Error.Failed", "Failed to register advertisement")
    default: break
    }
    called.withLock { $0.append(call.member) }
    return .values([])
  }

  /// Calls a method of an object of the program that serves.
  func ask(
    _ path: String, _ interface: String, _ method: String, _ arguments: [BusValue] = []
  ) async throws(BusError) -> [BusValue] {
    try await connection.call(owner, path, interface, method, arguments, within: .seconds(600))
  }

  /// Asks for the tree, as after RegisterApplication.
  func tree() async throws -> BusValue? {
    try await ask(
      DaemonApplication.root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"
    ).first
  }

  /// The peer reads a characteristic.
  func read(_ path: String) async throws(BusError) -> [UInt8]? {
    let options = BusValue.properties([
      "device": .objectPath(ScriptedManager.peer), "mtu": .uint16(64),
    ])
    return try await ask(path, DaemonApplication.characteristicInterface, "ReadValue", [options])
      .first?.byteArray
  }

  /// The peer disconnects.
  func disconnect() throws {
    try connection.assumeIsolated { connection in
      try connection.emit(
        ScriptedManager.peer, "org.freedesktop.DBus.Properties", "PropertiesChanged",
        [.string("org.bluez.Device1"), .properties(["Connected": .bool(false)]), .array([])])
    }
  }

  /// It ends.
  func end() async { await connection.close() }
}
