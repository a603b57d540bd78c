import Bluetooth
import EventLoop
import Glibc
import LunaTesting
import SystemBus
import Testing

@testable import BlueZ

@Suite(.timeLimit(.minutes(10))) struct DaemonLeakTests {
  private let daemon: ScriptedBluetoothd
  private let client: DaemonGATTClient

  init() async throws {
    daemon = try await ScriptedBluetoothd()
    let address = daemon.address
    client = DaemonGATTClient(
      reactor: .shared, host: FakeKernel { $0.busAddress = address }, adapter: { 0 })
  }

  private func connect() async throws -> any GATTConnection {
    try await client.connect(
      to: GATTPeer(BluetoothAddress(value: 0xE71A_0000_0001), .random),
      GATTLimits(connect: .seconds(600), operation: .seconds(600)))
  }

  /// What connections could leave behind: on the bus (connections and match rules), in this process
  /// (descriptors), in bluetoothd (objects).
  private struct Remains: Equatable {
    var names: Int
    var rules: Int
    var isKnown: Bool
  }

  private func remains(_ observer: BusConnection) async throws -> Remains {
    let bus = "org.freedesktop.DBus"
    let names = try await observer.call(bus, "/org/freedesktop/DBus", bus, "ListNames")
    let rules = try await observer.call(
      bus, "/org/freedesktop/DBus", bus + ".Debug.Stats", "GetAllMatchRules")
    return Remains(
      names: names.first?.elements?.count ?? 0,
      rules: (rules.first?.entries ?? []).reduce(0) { $0 + ($1.value.elements?.count ?? 0) },
      isKnown: await daemon.isKnown)
  }

  private var descriptors: Int {
    var count = 0
    for descriptor in Int32(0)..<1024 where fcntl(descriptor, F_GETFD) >= 0 { count += 1 }
    return count
  }

  /// A weak reference.
  private struct Weak {
    weak var connection: (any GATTConnection)?
  }

  @Test func leavesNothingBehindAfterHundredsOfConnections() async throws {
    let observer = BusConnection()
    try await observer.open(address: daemon.address)
    try await connect().disconnect()
    let before = try await remains(observer)
    let descriptorsBefore = descriptors
    var last: [Weak] = []
    for number in 0..<400 {
      switch number % 50 {
      case 3:
        await daemon.set {
          $0.answers = [.fails("org.bluez.Error.Failed", "le-connection-refused")]
        }
        await #expect(throws: GATTError.self) { try await connect() }
      case 7:
        // The peer ends it, and nobody calls disconnect.
        let connection = try await connect()
        let power = try #require(await connection.characteristics.first)
        try await connection.subscribe(to: power)
        await daemon.setConnected(false)
        await #expect(throws: GATTError.self) {
          try await connection.nextValue(of: power, within: .seconds(600))
        }
      default:
        let connection = try await connect()
        let power = try #require(await connection.characteristics.first)
        try await connection.subscribe(to: power)
        _ = try await connection.read(power)
        await connection.disconnect()
        last.append(Weak(connection: connection))
      }
    }
    await client.close()
    // The bus learns of the last ends a little later.
    try await waitUntil { try await remains(observer) == before }
    #expect(daemon.counts.removals == 401)
    // Other tests run meanwhile; a leak would show hundreds.
    #expect(descriptors < descriptorsBefore + 200)
    try await waitUntil { last.allSatisfy { $0.connection == nil } }
    await observer.close()
  }
}
