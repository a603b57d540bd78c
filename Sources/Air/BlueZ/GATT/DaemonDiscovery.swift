import Bluetooth
import SystemBus

/// What bluetoothd knows of a peer: its object, and those of its services.
struct DaemonDiscovery: Sendable {
  let bus: BusConnection
  let adapter: UInt16
  let peer: GATTPeer
  /// The peer's object.
  let path: String

  init(bus: BusConnection, adapter: UInt16, peer: GATTPeer) {
    self.bus = bus
    self.adapter = adapter
    self.peer = peer
    path = DaemonPath.peer(peer.address, on: adapter)
  }

  /// Connects to the bus, asks for the signals, and sees to it that the adapter is on.
  func listen(at address: String) async throws(GATTError) {
    let properties =
      "type='signal',sender='\(DaemonScan.service)',member='PropertiesChanged',"
      + "interface='\(DaemonScan.propertiesInterface)',"
    do throws(BusError) {
      try await bus.open(address: address)
      try await bus.addMatch(
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
          + "member='NameOwnerChanged',arg0='\(DaemonScan.service)'")
      try await bus.addMatch(
        "type='signal',sender='\(DaemonScan.service)',"
          + "interface='\(DaemonPath.objectManager)',member='InterfacesRemoved'")
      try await bus.addMatch(properties + "path='\(DaemonScan.path(of: adapter))'")
      try await bus.addMatch(properties + "path_namespace='\(path)'")
      let isPowered = try await bus.property(
        "Powered", of: DaemonScan.adapterInterface, at: DaemonScan.path(of: adapter),
        on: DaemonScan.service)
      guard isPowered?.flag == false else { return }
    } catch {
      if isUnknown(error) { throw adapterGone("bluetoothd has no adapter hci\(adapter)") }
      throw DaemonFault.connecting(error)
    }
    throw adapterGone("hci\(adapter) is off")
  }

  private func adapterGone(_ reason: String) -> GATTError {
    GATTError(.adapterLost, during: "connect", reason)
  }

  private func isUnknown(_ error: BusError) -> Bool {
    switch error.name {
    case BusError.unknownObject, "org.freedesktop.DBus.Error.UnknownMethod",
      "org.freedesktop.DBus.Error.UnknownInterface":
      true
    default: false
    }
  }

  /// The peer's properties; nil when bluetoothd does not know it.
  func properties() async throws(GATTError) -> BusValue? {
    do throws(BusError) {
      return try await bus.properties(of: DaemonPath.device, at: path, on: DaemonScan.service)
    } catch {
      if isUnknown(error) { return nil }
      throw DaemonFault.connecting(error)
    }
  }

  /// The path of an object does not tell the two types of addresses apart.
  func check(_ properties: BusValue) throws(GATTError) {
    let type = properties["AddressType"]?.text
    guard type == nil || (type == "random") == (peer.addressType != .public) else {
      throw GATTError(
        .refused, during: "connect",
        "bluetoothd knows another device under the address \(peer), of type \(type ?? "")")
    }
  }

  /// What the peer offers, and the objects of that.
  func characteristics() async throws(BusError) -> [(
    characteristic: GATTCharacteristic, path: String
  )] {
    var characteristics: [(characteristic: GATTCharacteristic, path: String)] = []
    for name in try await bus.children(of: path, on: DaemonScan.service)
    where name.hasPrefix("service") {
      characteristics += try await readService("\(path)/\(name)")
    }
    return characteristics
  }

  private func readService(
    _ service: String
  ) async throws(BusError) -> [(characteristic: GATTCharacteristic, path: String)] {
    let uuid = try await bus.property(
      "UUID", of: DaemonPath.service, at: service, on: DaemonScan.service)
    guard let uuid = uuid?.text.flatMap({ DaemonPath.uuid($0) }) else { return [] }
    var characteristics: [(characteristic: GATTCharacteristic, path: String)] = []
    for name in try await bus.children(of: service, on: DaemonScan.service) {
      let object = "\(service)/\(name)"
      guard let handle = DaemonPath.valueHandle(of: object) else { continue }
      let properties = try await bus.properties(
        of: DaemonPath.characteristic, at: object, on: DaemonScan.service)
      guard let own = properties["UUID"]?.text.flatMap({ DaemonPath.uuid($0) }) else { continue }
      let flags = (properties["Flags"]?.elements ?? []).compactMap(\.text)
      characteristics.append(
        (
          GATTCharacteristic(
            service: uuid, uuid: own, properties: DaemonPath.properties(flags), handle: handle),
          object
        ))
    }
    return characteristics
  }

  /// Has bluetoothd forget the peer: since it was connected to, its object would stay for ever, and
  /// trackers come with a new address every few minutes. What a person has paired or trusted stays.
  func forget() async {
    let properties = try? await bus.properties(
      of: DaemonPath.device, at: path, on: DaemonScan.service)
    guard let properties, properties["Paired"]?.flag != true,
      properties["Trusted"]?.flag != true
    else { return }
    _ = try? await bus.call(
      DaemonScan.service, DaemonScan.path(of: adapter), DaemonScan.adapterInterface,
      "RemoveDevice", [.objectPath(path)], within: .seconds(5))
  }
}
