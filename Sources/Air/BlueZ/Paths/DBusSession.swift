import Bluetooth
import CLinux
import Diagnosis
import EventLoop
import SystemBus

/// Scans through bluetoothd: what every user may do. Three match rules, however many advertisers
/// there are; the objects of devices are looked at one by one when they are first heard.
actor DBusSession: ReactorActor, ScanSession {
  /// The advertisers that are kept in mind; when there are more, all are forgotten and asked for
  /// anew.
  private static let capacity = 16_384

  nonisolated let reactor: Reactor

  private let outlet: ScanOutlet
  private let host: any BluetoothHost
  private let target: AdapterTarget
  private let options: ScanOptions
  private let relay = SignalRelay()
  private let bus: BusConnection
  private let daemon: DaemonScan
  private var index: UInt16?
  private var devices: [String: DaemonDevice] = [:]
  private var asked: Set<String> = []
  private var isOpen = false
  private var isResting = false

  /// Carries signals to the session, on the reactor's thread.
  private final class SignalRelay: Sendable {
    nonisolated(unsafe) weak var session: DBusSession?

    func deliver(_ signal: borrowing BusSignal) {
      // What anybody may send to this connection alone is nothing that bluetoothd or the bus says.
      guard signal.isBroadcast else { return }
      // The closure may not borrow the signal, so it is read here.
      if signal.isSignal("org.freedesktop.DBus.Properties", "PropertiesChanged") {
        let (path, arguments) = (signal.path, signal.arguments)
        session?.assumeIsolated { $0.changed(path, arguments) }
      } else if signal.isSignal("org.freedesktop.DBus.ObjectManager", "InterfacesAdded") {
        let arguments = signal.arguments
        session?.assumeIsolated { $0.added(arguments) }
      } else if signal.isSignal("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved") {
        let arguments = signal.arguments
        session?.assumeIsolated { $0.removed(arguments) }
      } else if signal.isSignal("org.freedesktop.DBus", "NameOwnerChanged") {
        session?.assumeIsolated { $0.fault(SourceError(.lost, "bluetoothd was stopped")) }
      }
    }

    func closed() {
      session?.assumeIsolated { $0.fault(SourceError(.lost, "the system bus is gone")) }
    }
  }

  init(
    reactor: Reactor, outlet: ScanOutlet, host: any BluetoothHost, target: AdapterTarget,
    options: ScanOptions
  ) {
    self.reactor = reactor
    self.outlet = outlet
    self.host = host
    self.target = target
    self.options = options
    let relay = relay
    bus = BusConnection(
      reactor: reactor, onSignal: { relay.deliver($0) }, onClose: { relay.closed() })
    daemon = DaemonScan(reactor: reactor, bus: bus, host: host)
  }

  func open() async throws(SourceError) -> ScanSummary {
    relay.session = self
    try await connect()
    let adapter = try await find()
    index = adapter.index
    guard adapter.isPowered else { throw AdapterProblem.off(adapter.index, on: host) }
    do throws(BusError) {
      try await bus.addMatch(
        "type='signal',sender='\(DaemonScan.service)',"
          + "interface='org.freedesktop.DBus.ObjectManager'")
      try await bus.addMatch(
        "type='signal',sender='\(DaemonScan.service)',member='PropertiesChanged',"
          + "interface='\(DaemonScan.propertiesInterface)',"
          + "path_namespace='\(DaemonScan.path(of: adapter.index))'")
    } catch {
      throw daemon.problem(error, adapter.index)
    }
    try await daemon.discover(on: adapter.index)
    isOpen = true
    return ScanSummary(
      name: "hci\(adapter.index)",
      clause:
        "bluetoothd scans with hci\(adapter.index) and tells what it makes of it, without type "
        + "of PDU and PHY, with scan responses merged in, and perhaps only one report per "
        + "advertiser every 11 s where the controller hides repeats")
  }

  private func connect() async throws(SourceError) {
    do throws(BusError) {
      try await bus.open(address: host.busAddress)
      guard try await !daemon.connect() else { return }
    } catch {
      throw SourceError(
        .noAdapter, "the system bus cannot be used (\(error))",
        remedy: AdapterProblem.withoutAdapter)
    }
    throw SourceError(
      .noAdapter, "bluetoothd does not run (nobody owns org.bluez on the system bus)",
      remedy: "\(.startBluetoothDaemon)")
  }

  private func find() async throws(SourceError) -> DaemonAdapter {
    let all: [DaemonAdapter]
    do throws(BusError) {
      all = try await DaemonAdapter.all(on: bus)
    } catch {
      throw daemon.problem(error, 0)
    }
    let match =
      switch target.wanted {
      case .index(let index): all.first { $0.index == index }
      case .address(let address): all.first { $0.address == address }
      case nil: all.first(where: \.isPowered) ?? all.first
      }
    guard let match else {
      guard let wanted = target.wanted, !all.isEmpty else {
        let reason = "bluetoothd knows no adapter"
        throw SourceError(.noAdapter, reason, remedy: AdapterProblem.withoutAdapter)
      }
      let others = all.map { "hci\($0.index)" }.joined(separator: ", ")
      throw SourceError(
        .noAdapter, "bluetoothd knows no adapter \(wanted)", remedy: "there is \(others)")
    }
    target.found(match.index, match.address)
    return match
  }

  private func changed(_ path: String, _ arguments: [BusValue]) {
    guard let index, arguments.count >= 2, let interface = arguments[0].text else { return }
    if interface == "org.bluez.Device1" {
      deviceChanged(path, arguments[1])
    } else if interface == DaemonScan.adapterInterface, path == DaemonScan.path(of: index), isOpen {
      if arguments[1]["Powered"]?.flag == false {
        fault(AdapterProblem.off(index, on: host))
      } else if arguments[1]["Discovering"]?.flag == false, !isResting {
        fault(SourceError(.lost, "bluetoothd has ended the discovery"))
      }
    }
  }

  private func deviceChanged(_ path: String, _ properties: BusValue) {
    outlet.queue.count { $0.packets &+= 1 }
    guard var device = devices[path] else {
      return ask(path)
    }
    let wasHeard = device.take(properties)
    devices[path] = device
    if wasHeard { deliver(device) }
  }

  private func added(_ arguments: [BusValue]) {
    guard let path = arguments.first?.text, belongs(path),
      let properties = arguments.last?["org.bluez.Device1"], var device = DaemonDevice(path: path)
    else { return }
    outlet.queue.count { $0.packets &+= 1 }
    let wasHeard = device.take(properties)
    keep(device, at: path)
    if wasHeard && device.rssi != nil { deliver(device) }
  }

  private func removed(_ arguments: [BusValue]) {
    guard let path = arguments.first?.text, let index else { return }
    let interfaces = (arguments.last?.elements ?? []).compactMap(\.text)
    if interfaces.contains("org.bluez.Device1") { devices[path] = nil }
    if interfaces.contains(DaemonScan.adapterInterface), path == DaemonScan.path(of: index) {
      fault(SourceError(.noAdapter, "hci\(index) was removed"))
    }
  }

  private func belongs(_ path: String) -> Bool {
    index.map { path.hasPrefix(DaemonScan.path(of: $0) + "/") } ?? false
  }

  /// Asks for a device that bluetoothd knew before we came.
  private func ask(_ path: String) {
    guard belongs(path), DaemonDevice(path: path) != nil, asked.insert(path).inserted else {
      return
    }
    Task {
      let properties = try? await bus.properties(
        of: "org.bluez.Device1", at: path, on: DaemonScan.service)
      asked.remove(path)
      guard let properties, devices[path] == nil, var device = DaemonDevice(path: path) else {
        return
      }
      _ = device.take(properties)
      keep(device, at: path)
      if device.rssi != nil { deliver(device) }
    }
  }

  private func keep(_ device: DaemonDevice, at path: String) {
    if devices.count >= DBusSession.capacity { devices.removeAll() }
    devices[path] = device
  }

  private func deliver(_ device: DaemonDevice) {
    guard let index else { return }
    var reports = [device.report(time: Timestamp(microseconds: luna_now()), adapter: index)]
    outlet.push(&reports)
  }

  private func fault(_ error: SourceError) {
    guard isOpen else { return }
    isOpen = false
    outlet.fault(error)
  }

  func pause() async {
    guard isOpen, let index else { return }
    isResting = true
    await daemon.rest(on: index)
  }

  func resume() async throws(SourceError) {
    guard isOpen, let index else { return }
    try await daemon.discover(on: index)
    isResting = false
  }

  func close() async {
    isOpen = false
    await bus.close()
  }
}
