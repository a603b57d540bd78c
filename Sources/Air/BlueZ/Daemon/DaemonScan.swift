import Bluetooth
import Diagnosis
import EventLoop
import SystemBus

/// bluetoothd as a scan sees it: whether it runs, its adapters, a discovery.
actor DaemonScan: ReactorActor {
  static let service = "org.bluez"
  static let adapterInterface = "org.bluez.Adapter1"
  static let propertiesInterface = "org.freedesktop.DBus.Properties"

  nonisolated let reactor: Reactor

  private let bus: BusConnection
  private let host: any BluetoothHost

  init(reactor: Reactor, bus: BusConnection, host: any BluetoothHost) {
    self.reactor = reactor
    self.bus = bus
    self.host = host
  }

  /// The object of an adapter.
  static func path(of index: UInt16) -> String { "/org/bluez/hci\(index)" }

  /// Whether bluetoothd runs, for who asks once. It is not started by that.
  static func isRunning(on reactor: Reactor, _ host: any BluetoothHost) async -> Bool {
    let bus = BusConnection(reactor: reactor)
    guard (try? await bus.open(address: host.busAddress)) != nil else { return false }
    let owner = try? await bus.owner(of: service)
    await bus.close()
    return owner != nil
  }

  /// Whether bluetoothd runs; also tells of its coming and going from now on, by the signal
  /// NameOwnerChanged.
  func connect() async throws(BusError) -> Bool {
    try await bus.addMatch(
      "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
        + "member='NameOwnerChanged',arg0='\(DaemonScan.service)'")
    return try await bus.owner(of: DaemonScan.service) != nil
  }

  /// Starts an LE discovery that reports every advertisement that bluetoothd gets. It ends when the
  /// connection to the bus is closed.
  ///
  /// StopDiscovery alone is not called: bluetoothd (5.66) would then take the closing of our connection
  /// for the end of the last discovery, and end the one of another program.
  func discover(on index: UInt16) async throws(SourceError) {
    do throws(BusError) { try await begin(on: index) } catch { throw problem(error, index) }
  }

  /// What ``discover(on:)`` does, with the error as the bus tells it.
  func begin(on index: UInt16) async throws(BusError) {
    let path = DaemonScan.path(of: index)
    // An RSSI filter makes bluetoothd report every change of RSSI, not only those of 8 dB and more.
    let filter = BusValue.properties([
      "Transport": .string("le"), "DuplicateData": .bool(true), "RSSI": .int16(-127),
    ])
    var attempts = 0
    while true {
      do throws(BusError) {
        try await call("SetDiscoveryFilter", path, [filter])
        try await call("StartDiscovery", path)
        return
      } catch {
        attempts += 1
        // It stands for any failure of the kernel to begin, and often for one that passes: another
        // client's request, a connection that is being made.
        guard error.name == "org.bluez.Error.InProgress", attempts < 4 else { throw error }
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
  }

  /// Ends the discovery, and keeps the connection for another one.
  ///
  /// The filter goes too: bluetoothd keeps those who have one in a list, and takes the closing of
  /// their connection for the end of a discovery.
  func rest(on index: UInt16) async {
    let path = DaemonScan.path(of: index)
    try? await call("StopDiscovery", path)
    try? await call("SetDiscoveryFilter", path, [.properties([:])])
  }

  private func call(
    _ method: String, _ path: String, _ arguments: [BusValue] = []
  ) async throws(BusError) {
    try await bus.call(
      DaemonScan.service, path, DaemonScan.adapterInterface, method, arguments)
  }

  /// What an error of org.bluez means to a person.
  nonisolated func problem(_ error: BusError, _ index: UInt16) -> SourceError {
    switch error.name {
    case "org.bluez.Error.NotReady": return AdapterProblem.off(index, on: host)
    case "org.bluez.Error.InProgress":
      return SourceError(
        .busy, "bluetoothd cannot start a discovery on hci\(index) now (\(error))",
        remedy:
          "another program may be connecting; if it stays so: sudo systemctl restart bluetooth")
    case BusError.accessDenied:
      return SourceError(
        .noPermission, "the policy of D-Bus keeps this user away from bluetoothd (\(error))",
        remedy: "\(.joinGroup("bluetooth"))")
    case BusError.unknownObject, "org.freedesktop.DBus.Error.UnknownMethod":
      return SourceError(.noAdapter, "bluetoothd has no adapter hci\(index)")
    case BusError.serviceUnknown, BusError.disconnected, BusError.noReply:
      return SourceError(
        .lost, "bluetoothd does not answer (\(error))", remedy: "\(.startBluetoothDaemon)")
    default: return SourceError(.lost, "bluetoothd refuses the discovery (\(error))")
    }
  }
}
