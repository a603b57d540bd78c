import Bluetooth
import EventLoop
import SystemBus

/// The shell around ``DaemonServer``: objects on the bus, which bluetoothd calls.
actor DaemonPeripheral: ReactorActor {
  /// How long a peer may take to confirm what was indicated before it is disconnected.
  private static let farewellLimit = Duration.seconds(2)

  nonisolated let reactor: Reactor

  private let bus: BusConnection
  private let onLink: AdvertisingRadio.LinkHandler
  private var server: DaemonServer
  private var adapter: String?
  private var isRegistered = false
  private var timer: ReactorTimer?

  init(
    reactor: Reactor, bus: BusConnection, services: [GATTService],
    onLink: @escaping AdvertisingRadio.LinkHandler
  ) {
    self.reactor = reactor
    self.bus = bus
    self.onLink = onLink
    server = DaemonServer(DaemonApplication(services))
  }

  /// Puts the services on the bus and tells bluetoothd of them.
  ///
  /// - Parameter adapter: the object of the adapter.
  func register(on adapter: String) async throws(BusError) {
    self.adapter = adapter
    try await bus.addMatch(
      "type='signal',sender='\(DaemonScan.service)',member='PropertiesChanged',"
        + "interface='\(DaemonScan.propertiesInterface)',arg0='org.bluez.Device1',"
        + "path_namespace='\(adapter)'")
    try await bus.addMatch(
      "type='signal',sender='\(DaemonScan.service)',member='InterfacesRemoved',"
        + "interface='org.freedesktop.DBus.ObjectManager'")
    for path in server.application.paths {
      try await bus.export(path) { [weak self] call in self?.assumeIsolated { $0.call(call) } }
    }
    try await bus.call(
      DaemonScan.service, adapter, DaemonApplication.manager, "RegisterApplication",
      [.objectPath(DaemonApplication.root), .dictionary([])])
    isRegistered = true
  }

  /// Whether somebody is connected.
  var isConnected: Bool { server.device != nil }

  private func call(_ call: BusMethodCall) -> BusMethodReply? {
    guard let actions = server.call(call) else { return nil }
    var answer = BusMethodReply.later
    for action in actions {
      if case .reply(let reply, call.token) = action { answer = reply } else { perform([action]) }
    }
    return answer
  }

  /// The signal PropertiesChanged of an object.
  func changed(_ path: String, _ arguments: [BusValue]) {
    guard arguments.count >= 2, arguments[0].text == "org.bluez.Device1",
      arguments[1]["Connected"]?.flag == false
    else { return }
    perform(server.disconnected(path))
  }

  /// The signal InterfacesRemoved.
  func removed(_ arguments: [BusValue]) {
    guard let path = arguments.first?.text,
      arguments.last?.elements?.contains(.string("org.bluez.Device1")) == true
    else { return }
    perform(server.disconnected(path))
  }

  /// bluetoothd is gone, and with it the peer and what was registered.
  func lost() {
    isRegistered = false
    if let device = server.device { perform(server.disconnected(device)) }
  }

  func respond(_ response: GATTResponse, on link: PeripheralLink) {
    perform(server.respond(response, on: link))
  }

  func indicate(
    _ value: [UInt8], of characteristic: BluetoothUUID, on link: PeripheralLink
  ) {
    perform(server.indicate(value, of: characteristic, on: link))
  }

  func disconnect(_ link: PeripheralLink) {
    perform(server.finish(link))
    timer?.cancel()
    timer = schedule(after: DaemonPeripheral.farewellLimit) { $0.perform($0.server.hurry(link)) }
  }

  private func perform(_ actions: [DaemonServer.Action]) {
    for action in actions {
      switch action {
      case .reply(let reply, let token): bus.assumeIsolated { $0.reply(reply, to: token) }
      case .event(let event, let link):
        if event == .disconnected { timer?.cancel() }
        onLink(event, link)
      case .indicate(let value, let path):
        let changed = BusValue.properties(["Value": .bytes(value)])
        bus.assumeIsolated { bus in
          // Where the bus is gone, so is the peer.
          try? bus.emit(
            path, DaemonScan.propertiesInterface, "PropertiesChanged",
            [.string(DaemonApplication.characteristicInterface), changed, .array([])])
        }
      case .disconnect(let path): disconnect(path)
      }
    }
  }

  private func disconnect(_ path: String) {
    Task {
      // Where it is disconnected already there is nothing to be done.
      _ = try? await bus.call(DaemonScan.service, path, "org.bluez.Device1", "Disconnect")
    }
  }

  /// Disconnects and takes the services back.
  func close() async {
    timer?.cancel()
    guard let adapter, isRegistered else { return }
    isRegistered = false
    if let device = server.device {
      _ = try? await bus.call(
        DaemonScan.service, device, "org.bluez.Device1", "Disconnect", within: .seconds(3))
    }
    _ = try? await bus.call(
      DaemonScan.service, adapter, DaemonApplication.manager, "UnregisterApplication",
      [.objectPath(DaemonApplication.root)], within: .seconds(3))
    for path in server.application.paths { await bus.withdraw(path) }
  }
}
