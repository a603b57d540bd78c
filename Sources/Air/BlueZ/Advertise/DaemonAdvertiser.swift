import Bluetooth
import Diagnosis
import EventLoop
import HCIHost
import SystemBus

/// Advertises and serves through bluetoothd (org.bluez.LEAdvertisingManager1 and GattManager1): what
/// every user may do, beside other programs. The address, the type of PDU and the intervals are
/// bluetoothd's. An adapter has one set of services, so the first advertisement alone accepts
/// connections.
actor DaemonAdvertiser: ReactorActor, AdvertisingRadio {
  private static let manager = "org.bluez.LEAdvertisingManager1"
  private static let root = "/org/lunatracker/advertisement"

  nonisolated let reactor: Reactor

  private let host: any BluetoothHost
  private let target: AdapterTarget
  private let relay = SignalRelay()
  private let bus: BusConnection
  private let turns = Turns()
  private var peripheral: DaemonPeripheral?
  private var adapter: String?
  /// The object on the bus of each number.
  private var registered: [Int: String] = [:]
  private var serial = 0
  /// What bluetoothd did not take while somebody was connected; it is tried again afterwards.
  private var refused: [Int: Advertisement] = [:]

  /// Set once bluetoothd, or the bus, is gone: with it went what was registered.
  private var fault: SourceError?

  /// Carries signals, on the reactor's thread.
  private final class SignalRelay: Sendable {
    nonisolated(unsafe) weak var advertiser: DaemonAdvertiser?
    nonisolated(unsafe) weak var peripheral: DaemonPeripheral?

    func deliver(_ signal: borrowing BusSignal) {
      // What anybody may send to this connection alone is nothing that bluetoothd or the bus says.
      guard signal.isBroadcast else { return }
      // The closure may not borrow the signal, so it is read here.
      if signal.isSignal("org.freedesktop.DBus.Properties", "PropertiesChanged") {
        let (path, arguments) = (signal.path, signal.arguments)
        peripheral?.assumeIsolated { $0.changed(path, arguments) }
      } else if signal.isSignal("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved") {
        let arguments = signal.arguments
        peripheral?.assumeIsolated { $0.removed(arguments) }
      } else if signal.isSignal("org.freedesktop.DBus", "NameOwnerChanged") {
        lost("bluetoothd was stopped")
      }
    }

    func lost(_ reason: String) {
      advertiser?.assumeIsolated { $0.fail(reason) }
      peripheral?.assumeIsolated { $0.lost() }
    }
  }

  init(reactor: Reactor, host: any BluetoothHost, target: AdapterTarget) {
    self.reactor = reactor
    self.host = host
    self.target = target
    let relay = relay
    bus = BusConnection(
      reactor: reactor, onSignal: { relay.deliver($0) },
      onClose: { relay.lost("the system bus is gone") })
  }

  func open(
    count: Int, serving services: [GATTService],
    onLink: @escaping AdvertisingRadio.LinkHandler
  ) async throws(SourceError) -> AdvertiserSummary {
    relay.advertiser = self
    do throws(SourceError) {
      try await connect()
      var summary = try await prepare(count)
      try await serve(services, onLink)
      if count > 1 {
        summary.deviations.append("only the first of the \(count) accepts connections")
      }
      return summary
    } catch {
      await bus.close()
      throw error
    }
  }

  private func connect() async throws(SourceError) {
    let owner: String?
    do throws(BusError) {
      try await bus.open(address: host.busAddress)
      try await bus.addMatch(
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
          + "member='NameOwnerChanged',arg0='\(DaemonScan.service)'")
      owner = try await bus.owner(of: DaemonScan.service)
    } catch {
      throw SourceError(
        .noAdapter, "the system bus cannot be used (\(error))",
        remedy: "use \(.radioPath("virtual")) to run without an adapter")
    }
    guard owner == nil else { return }
    throw SourceError(
      .noAdapter, "bluetoothd does not run (nobody owns org.bluez on the system bus)",
      remedy: "\(.startBluetoothDaemon)")
  }

  private func prepare(_ count: Int) async throws(SourceError) -> AdvertiserSummary {
    let all: [DaemonAdapter]
    do throws(BusError) { all = try await DaemonAdapter.all(on: bus) } catch {
      throw problem(error)
    }
    let match =
      switch target.wanted {
      case .index(let index): all.first { $0.index == index }
      case .address(let address): all.first { $0.address == address }
      case nil: all.first(where: \.isPowered) ?? all.first
      }
    guard let match else {
      throw SourceError(
        .noAdapter, "bluetoothd knows no adapter \(target.wanted.map(\.description) ?? "")",
        remedy: "\(.adapters) lists them; \(.radioPath("virtual")) runs without one")
    }
    guard match.isPowered else { throw AdapterProblem.off(match.index, on: host) }
    let path = DaemonScan.path(of: match.index)
    adapter = path
    let free: BusValue?
    do throws(BusError) {
      free = try await bus.property(
        "SupportedInstances", of: DaemonAdvertiser.manager, at: path, on: DaemonScan.service)
    } catch {
      throw problem(error)
    }
    let instances = Int(free?.integer ?? 0)
    guard count <= instances else {
      throw SourceError(
        .busy, "hci\(match.index) has room for \(instances) more advertisements, not \(count)",
        remedy: "run fewer trackers on it, or end other programs that advertise")
    }
    return AdvertiserSummary(
      name: "dbus:hci\(match.index)",
      explanation: "bluetoothd advertises with hci\(match.index), beside other programs",
      deviations: [
        "the address is the kernel's choice (the adapter's own while connectable, else one that "
          + "changes with every slot), and does not rotate with the period",
        "the interval is bluetoothd's, mostly 1.28 s for every mode",
        "PDUs that are not connectable may be ADV_SCAN_IND, and flags may be absent",
        "bluetoothd offers its own services as well: the computer's name, its Device Information",
      ])
  }

  private func serve(
    _ services: [GATTService], _ onLink: @escaping AdvertisingRadio.LinkHandler
  ) async throws(SourceError) {
    guard let adapter, !services.isEmpty else { return }
    let peripheral = DaemonPeripheral(reactor: reactor, bus: bus, services: services) {
      [weak self] event, link in
      onLink(event, link)
      if event == .disconnected { self?.assumeIsolated { $0.tryAgain() } }
    }
    self.peripheral = peripheral
    relay.peripheral = peripheral
    do throws(BusError) {
      try await peripheral.register(on: adapter)
    } catch {
      throw problem(error, "serve GATT")
    }
  }

  func advertise(_ advertisement: Advertisement, as number: Int) async throws(SourceError) {
    await turns.begin()
    defer { turns.end() }
    var advertisement = advertisement
    if number > 0, advertisement.pdu == .advInd { advertisement.pdu = .advNonconnInd }
    refused[number] = nil
    do throws(BusError) {
      try await register(advertisement, number)
    } catch {
      if let fault { throw fault }
      // A controller that has a connection may be unable to advertise as well.
      guard error.name.hasPrefix("org.bluez.Error"), await peripheral?.isConnected == true else {
        throw problem(error)
      }
      refused[number] = advertisement
    }
  }

  func silence(_ number: Int) async throws(SourceError) {
    await turns.begin()
    defer { turns.end() }
    refused[number] = nil
    guard let adapter, let old = registered.removeValue(forKey: number) else { return }
    await withdraw(old, adapter)
    if let fault { throw fault }
  }

  private func fail(_ reason: String) {
    fault =
      fault ?? SourceError(.lost, reason, remedy: "run it again when bluetoothd runs again")
  }

  /// Nobody is connected any more.
  private func tryAgain() {
    for (number, advertisement) in refused {
      Task {
        await turns.begin()
        defer { turns.end() }
        guard refused[number] == advertisement else { return }
        refused[number] = nil
        // Where it is refused again, the next change of slot tells.
        try? await register(advertisement, number)
      }
    }
  }

  private func register(_ advertisement: Advertisement, _ number: Int) async throws(BusError) {
    guard let adapter else { return }
    if fault != nil {
      throw BusError(name: BusError.disconnected, message: "", operation: "advertise")
    }
    if let old = registered.removeValue(forKey: number) { await withdraw(old, adapter) }
    serial += 1
    let path = "\(DaemonAdvertiser.root)\(serial)"
    let properties = DaemonAdvertisement(advertisement).properties
    try await bus.export(path) { call in
      switch (call.interface, call.member) {
      case (DaemonScan.propertiesInterface, "GetAll"): .values([properties])
      // bluetoothd has forgotten it; the next change asks anew.
      case (DaemonAdvertisement.interface, "Release"): .values([])
      default: nil
      }
    }
    registered[number] = path
    try await bus.call(
      DaemonScan.service, adapter, DaemonAdvertiser.manager, "RegisterAdvertisement",
      [.objectPath(path), .dictionary([])])
  }

  private func withdraw(_ path: String, _ adapter: String) async {
    // Where bluetoothd has forgotten it already there is nothing to be done; where it has ended, the bus would start it.
    if fault == nil {
      _ = try? await bus.call(
        DaemonScan.service, adapter, DaemonAdvertiser.manager, "UnregisterAdvertisement",
        [.objectPath(path)])
    }
    await bus.withdraw(path)
  }

  func respond(_ response: GATTResponse, on link: PeripheralLink) async {
    await peripheral?.respond(response, on: link)
  }

  func indicate(
    _ value: [UInt8], of characteristic: BluetoothUUID, on link: PeripheralLink
  ) async {
    await peripheral?.indicate(value, of: characteristic, on: link)
  }

  func disconnect(_ link: PeripheralLink) async { await peripheral?.disconnect(link) }

  private func problem(_ error: BusError, _ what: String = "advertise") -> SourceError {
    switch error.name {
    case BusError.accessDenied:
      SourceError(
        .noPermission, "the policy of D-Bus keeps this user away from bluetoothd (\(error))",
        remedy: "\(.joinGroup("bluetooth"))")
    case "org.bluez.Error.NotPermitted":
      SourceError(
        .busy, "the adapter takes no more advertisements (\(error))",
        remedy: "end other programs that advertise")
    default:
      SourceError(
        .lost, "bluetoothd cannot \(what) (\(error))",
        remedy: "\(.restartBluetoothDaemon)")
    }
  }

  func close() async {
    await peripheral?.close()
    if let adapter {
      for path in registered.values { await withdraw(path, adapter) }
    }
    registered = [:]
    await bus.close()
  }
}
