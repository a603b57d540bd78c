import Bluetooth
import SystemBus

/// Serves characteristics over org.bluez, as a value: it takes the calls of bluetoothd and tells
/// what to do. One peer at a time; a second one gets errors until the first has disconnected.
///
/// bluetoothd does not tell of connections; whoever reads or writes first is connected.
struct DaemonServer: Sendable {
  /// What is to be done, in order.
  enum Action: Hashable, Sendable {
    case reply(BusMethodReply, BusMethodCall.Token)
    case event(PeripheralEvent, PeripheralLink)
    /// Send PropertiesChanged of a characteristic's object: an indication.
    case indicate([UInt8], path: String)
    /// Have bluetoothd disconnect a device.
    case disconnect(path: String)
  }

  /// The calls that may wait for an answer; bluetoothd sends one for each bearer of a peer.
  static let callLimit = 8

  private struct Peer {
    let path: String
    let link: PeripheralLink
    var mtu = ATTPDU.defaultMTU
    var calls: [BusMethodCall.Token] = []
    /// Indications that bluetoothd has not confirmed.
    var unconfirmed = 0
    var isEnding = false
  }

  let application: DaemonApplication
  private var peer: Peer?
  private var serial: UInt64 = 0

  init(_ application: DaemonApplication) { self.application = application }

  /// The object of the device that is served.
  var device: String? { peer?.path }

  /// bluetoothd calls a method of one of the objects; nil when there is no such method.
  mutating func call(_ call: BusMethodCall) -> [Action]? {
    switch (call.interface, call.member) {
    case ("org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
    where call.path == DaemonApplication.root:
      return answer(.values([application.managedObjects]), call)
    case (DaemonScan.propertiesInterface, "GetAll"):
      let properties = application.properties(of: call.path, call.arguments.first?.text)
      return answer(.values([properties]), call)
    case (DaemonApplication.characteristicInterface, let member):
      guard let characteristic = application.characteristics[call.path] else { return nil }
      switch member {
      case "ReadValue": return read(characteristic, call)
      case "WriteValue": return write(characteristic, call)
      // Who subscribes is not told, nor needed: only those who did get what is indicated.
      case "StartNotify", "StopNotify": return answer(.values([]), call)
      case "Confirm": return answer(.values([]), call) + confirmed()
      default: return nil
      }
    default: return nil
    }
  }

  private func answer(_ reply: BusMethodReply, _ call: BusMethodCall) -> [Action] {
    [.reply(reply, call.token)]
  }

  private func refuse(_ name: String, _ reason: String, _ call: BusMethodCall) -> [Action] {
    answer(.error("org.bluez.Error.\(name)", reason), call)
  }

  private mutating func read(
    _ characteristic: GATTService.Characteristic, _ call: BusMethodCall
  ) -> [Action] {
    let options = call.arguments.last ?? .dictionary([])
    let offset = options["offset"]?.integer ?? 0
    guard characteristic.properties.contains(.read) else {
      return refuse("NotPermitted", "it cannot be read", call)
    }
    guard offset >= 0 else { return refuse("InvalidOffset", "no value begins there", call) }
    if let constant = characteristic.constant {
      return offset <= constant.count
        ? answer(.values([.bytes(Array(constant[offset...]))]), call)
        : refuse("InvalidOffset", "the value ends before", call)
    }
    return ask(.read(characteristic.uuid, offset: offset), options, call)
  }

  private mutating func write(
    _ characteristic: GATTService.Characteristic, _ call: BusMethodCall
  ) -> [Action] {
    let options = call.arguments.last ?? .dictionary([])
    guard characteristic.properties.contains(.write), let value = call.arguments.first?.byteArray
    else { return refuse("NotPermitted", "it cannot be written", call) }
    // Asked for nothing but a yes; the value itself comes with the execution.
    if options["prepare-authorize"]?.flag == true { return answer(.values([]), call) }
    // bluetoothd puts the parts of a long write together; what is left is a value with a hole.
    guard (options["offset"]?.integer ?? 0) == 0 else {
      return refuse("InvalidOffset", "a value is written from its beginning", call)
    }
    guard value.count <= ATTPDU.longestValue else {
      return refuse("InvalidValueLength", "a value has 512 bytes at most", call)
    }
    return ask(.write(characteristic.uuid, value), options, call)
  }

  private mutating func ask(
    _ event: PeripheralEvent, _ options: BusValue, _ call: BusMethodCall
  ) -> [Action] {
    guard let path = options["device"]?.text else {
      return refuse("Failed", "who asks is not told", call)
    }
    var actions: [Action] = []
    if peer == nil {
      serial += 1
      let link = PeripheralLink(number: 0, serial: serial)
      peer = Peer(path: path, link: link)
      let address = DaemonDevice(path: path)?.address
      actions.append(.event(.connected(address), link))
    }
    guard var peer, peer.path == path, !peer.isEnding else {
      // 0x80: an application error (Core Specification, Vol 3, Part F, 3.4.1.1).
      return refuse("Failed", "0x80", call)
    }
    guard peer.calls.count < DaemonServer.callLimit else {
      return refuse("InProgress", "too many requests at a time", call)
    }
    if let mtu = options["mtu"]?.integer, mtu != peer.mtu, mtu >= ATTPDU.defaultMTU {
      peer.mtu = mtu
      actions.append(.event(.mtu(mtu), peer.link))
    }
    peer.calls.append(call.token)
    self.peer = peer
    return actions + [.event(event, peer.link)]
  }

  /// The owner answers the first read or write that is not answered yet.
  mutating func respond(_ response: GATTResponse, on link: PeripheralLink) -> [Action] {
    guard peer?.link == link, peer?.calls.isEmpty == false,
      let token = peer?.calls.removeFirst()
    else { return [] }
    let reply: BusMethodReply =
      switch response {
      case .value(let value): .values([.bytes(value)])
      case .written: .values([])
      case .refused(let error): DaemonServer.error(error)
      }
    return [.reply(reply, token)]
  }

  /// The names that bluetoothd understands; it makes others of what has none.
  private static func error(_ error: ATTErrorCode) -> BusMethodReply {
    switch error {
    case .readNotPermitted, .writeNotPermitted:
      .error("org.bluez.Error.NotPermitted", error.description)
    case .invalidOffset: .error("org.bluez.Error.InvalidOffset", error.description)
    case .invalidAttributeValueLength:
      .error("org.bluez.Error.InvalidValueLength", error.description)
    case .requestNotSupported: .error("org.bluez.Error.NotSupported", error.description)
    case _ where error.isApplicationError:
      .error("org.bluez.Error.Failed", "0x" + Hex.upper(error.rawValue))
    // An unknown name becomes Unlikely Error.
    default: .error("org.lunatracker.Error.Refused", error.description)
    }
  }

  /// The owner indicates a value.
  mutating func indicate(
    _ value: [UInt8], of characteristic: BluetoothUUID, on link: PeripheralLink
  ) -> [Action] {
    guard peer?.link == link, peer?.isEnding == false,
      let path = application.path(of: characteristic)
    else { return [] }
    peer?.unconfirmed += 1
    return [.indicate(value, path: path)]
  }

  /// The owner ends the link: at once when all is confirmed, else with the last confirmation, or
  /// ``hurry(_:)``.
  mutating func finish(_ link: PeripheralLink) -> [Action] {
    guard let peer, peer.link == link, !peer.isEnding else { return [] }
    self.peer?.isEnding = true
    return peer.unconfirmed == 0 ? [.disconnect(path: peer.path)] : []
  }

  /// It took too long.
  func hurry(_ link: PeripheralLink) -> [Action] {
    guard let peer, peer.link == link, peer.isEnding else { return [] }
    return [.disconnect(path: peer.path)]
  }

  private mutating func confirmed() -> [Action] {
    guard let peer, peer.unconfirmed > 0 else { return [] }
    self.peer?.unconfirmed -= 1
    return peer.isEnding && peer.unconfirmed == 1 ? [.disconnect(path: peer.path)] : []
  }

  /// bluetoothd tells that a device is no longer connected, or gone altogether.
  mutating func disconnected(_ path: String) -> [Action] {
    guard let peer, peer.path == path else { return [] }
    self.peer = nil
    return peer.calls.map { .reply(DaemonServer.error(.unlikelyError), $0) }
      + [.event(.disconnected, peer.link)]
  }
}
