import Bluetooth
import EventLoop
import SystemBus

/// Advertises through bluetoothd (org.bluez.LEAdvertisingManager1): what every user may do, beside
/// other programs. The address, the type of PDU and the intervals are bluetoothd's.
actor DaemonAdvertiser: AdvertisingRadio {
  private static let manager = "org.bluez.LEAdvertisingManager1"
  private static let root = "/org/lunatracker/advertisement"

  private let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let host: any BluetoothHost
  private let target: AdapterTarget
  private let bus: BusConnection
  private var adapter: String?
  /// The object on the bus of each number.
  private var registered: [Int: String] = [:]
  private var serial = 0

  init(reactor: Reactor, host: any BluetoothHost, target: AdapterTarget) {
    self.reactor = reactor
    self.host = host
    self.target = target
    bus = BusConnection(reactor: reactor)
  }

  func open(count: Int) async throws(SourceError) -> AdvertiserSummary {
    do throws(SourceError) {
      try await connect()
      return try await prepare(count)
    } catch {
      await bus.close()
      throw error
    }
  }

  private func connect() async throws(SourceError) {
    let owner: String?
    do throws(BusError) {
      try await bus.open()
      owner = try await bus.owner(of: DaemonScan.service)
    } catch {
      throw SourceError(
        .noAdapter, "the system bus cannot be used (\(error))",
        hint: "use --radio virtual to run without an adapter")
    }
    guard owner == nil else { return }
    throw SourceError(
      .noAdapter, "bluetoothd does not run (nobody owns org.bluez on the system bus)",
      hint: "run: sudo systemctl start bluetooth")
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
        hint: "luna adapters lists them; --radio virtual runs without one")
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
        hint: "run fewer trackers on it, or end other programs that advertise")
    }
    return AdvertiserSummary(
      name: "dbus:hci\(match.index)",
      explanation: "bluetoothd advertises with hci\(match.index), beside other programs",
      deviations: [
        "the address is the kernel's choice (the adapter's own while connectable, else one that "
          + "changes with every slot), and does not go with the period",
        "the interval is bluetoothd's, mostly 1.28 s for every mode",
        "PDUs that are not connectable may be ADV_SCAN_IND, and flags may be absent",
        "there is no GATT server",
      ])
  }

  func advertise(_ advertisement: Advertisement, as number: Int) async throws(SourceError) {
    guard let adapter else { return }
    do throws(BusError) {
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
    } catch {
      throw problem(error)
    }
  }

  private func withdraw(_ path: String, _ adapter: String) async {
    // Where bluetoothd has forgotten it already there is nothing to be done.
    _ = try? await bus.call(
      DaemonScan.service, adapter, DaemonAdvertiser.manager, "UnregisterAdvertisement",
      [.objectPath(path)])
    await bus.withdraw(path)
  }

  private func problem(_ error: BusError) -> SourceError {
    switch error.name {
    case BusError.accessDenied:
      SourceError(
        .noPermission, "the policy of D-Bus keeps this user away from bluetoothd (\(error))",
        hint: "run: sudo adduser $USER bluetooth, and log in again")
    case "org.bluez.Error.NotPermitted":
      SourceError(
        .busy, "the adapter takes no more advertisements (\(error))",
        hint: "end other programs that advertise")
    default:
      SourceError(
        .lost, "bluetoothd cannot advertise (\(error))",
        hint: "run: sudo systemctl restart bluetooth")
    }
  }

  func close() async {
    if let adapter {
      for path in registered.values { await withdraw(path, adapter) }
    }
    registered = [:]
    await bus.close()
  }
}
