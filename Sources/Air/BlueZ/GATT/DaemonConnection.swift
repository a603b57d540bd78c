import Bluetooth
import EventLoop
import SystemBus

/// A connection to a peer that bluetoothd has made for us. It has a connection to the bus of its
/// own: whatever goes wrong, its end takes back the match rules (always the same four) and the
/// subscriptions at once.
actor DaemonConnection: GATTConnection {
  private let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let host: any BluetoothHost
  private let adapter: UInt16
  private let peer: GATTPeer
  private let path: String
  private let limits: GATTLimits
  private var operationLimit: Duration
  private let progress: @Sendable (String) -> Void
  private let onEnd: @Sendable () async -> Void
  private let relay = Relay()
  private let bus: BusConnection

  private let epoch = ContinuousClock.now
  private var connector: DaemonConnector
  private var opening: CheckedContinuation<GATTError?, Never>?
  private var timer: ReactorTimer?
  private var finder: DaemonPeerFinder?
  /// Whether the match rules are set.
  private var hasSignals = false
  /// Whether bluetoothd was asked to connect: then it has to be asked to disconnect.
  private var wasAsked = false
  private var isConnected = false
  /// How often signals have told how the connection stands.
  private var changes = 0
  /// Called when the property Connected changes or cannot change any more.
  private var watchers: [CheckedContinuation<Void, Never>] = []

  private var found: [GATTCharacteristic] = []
  private var paths: [UInt16: String] = [:]
  private var subscriptions: [String: ValueQueue] = [:]
  private var operations = OperationQueue()
  private var end: GATTError?
  /// What has ended the connection as far as is known yet, until ``end`` is set.
  private var loss: (kind: GATTError.Kind, reason: String)?
  private var ending: Task<Void, Never>?

  /// Carries signals to the connection, on the reactor's thread.
  private final class Relay: Sendable {
    nonisolated(unsafe) weak var connection: DaemonConnection?

    func deliver(_ signal: borrowing BusSignal) {
      // The closures may not borrow the signal, so it is read here.
      if signal.isSignal("org.freedesktop.DBus.Properties", "PropertiesChanged") {
        let (path, arguments) = (signal.path, signal.arguments)
        connection?.assumeIsolated { $0.changed(path, arguments) }
      } else if signal.isSignal("org.freedesktop.DBus.ObjectManager", "InterfacesRemoved") {
        let arguments = signal.arguments
        connection?.assumeIsolated { $0.removed(arguments) }
      } else if signal.isSignal("org.freedesktop.DBus", "NameOwnerChanged") {
        connection?.assumeIsolated {
          $0.lost(.daemonRestarted, "bluetoothd has ended, or was started again")
        }
      }
    }

    func closed() {
      connection?.assumeIsolated { $0.lost(.daemonRestarted, "the system bus is gone") }
    }
  }

  /// - Parameters:
  ///   - progress: gets a sentence about each attempt.
  ///   - onEnd: called once when everything is let go of.
  init(
    reactor: Reactor, host: any BluetoothHost, adapter: UInt16, peer: GATTPeer,
    limits: GATTLimits, progress: @escaping @Sendable (String) -> Void,
    onEnd: @escaping @Sendable () async -> Void
  ) {
    self.reactor = reactor
    self.host = host
    self.adapter = adapter
    self.peer = peer
    self.limits = limits
    operationLimit = limits.operation
    self.progress = progress
    self.onEnd = onEnd
    path = DaemonPath.peer(peer.address, on: adapter)
    connector = DaemonConnector(peer: peer, limit: limits.connect)
    let relay = relay
    bus = BusConnection(
      reactor: reactor, onSignal: { relay.deliver($0) }, onClose: { relay.closed() })
  }

  // MARK: Connecting

  /// Connects and finds out what the peer offers. After an error everything is let go of by itself.
  func open() async throws(GATTError) {
    relay.connection = self
    let error = await withCheckedContinuation { continuation in
      opening = continuation
      handle(.start)
    }
    if let error { throw error }
  }

  private func handle(_ event: DaemonConnector.Event) {
    guard opening != nil else { return }
    for action in connector.handle(event, at: .now - epoch) {
      switch action {
      case .find: perform { await $0.find() }
      case .connect: perform { await $0.connect() }
      case .readServices: perform { await $0.readServices() }
      case .wake(let time): wake(at: time)
      case .tell(let text): progress(text)
      case .finish(let error): finish(error)
      }
    }
  }

  private func perform(_ action: @escaping @Sendable (DaemonConnection) async -> Void) {
    Task { await action(self) }
  }

  private func wake(at time: Duration) {
    timer?.cancel()
    timer = reactor.schedule(after: max(.zero, epoch + time - .now)) { [weak self] in
      self?.assumeIsolated { $0.handle(.timer) }
    }
  }

  private func finish(_ error: GATTError?) {
    timer?.cancel()
    timer = nil
    opening?.resume(returning: error)
    opening = nil
    if let error { ended(error.kind, error.reason) }
    if let finder { Task { await finder.close() } }
    finder = nil
  }

  private func find() async {
    guard opening != nil else { return }
    do throws(GATTError) {
      try await listen()
      if try await look() { return handle(.known) }
      let finder = DaemonPeerFinder(
        reactor: reactor, host: host, adapter: adapter, path: path)
      self.finder = finder
      progress("bluetoothd has not heard \(peer) yet: waiting for it")
      let result: GATTError?
      do throws(GATTError) {
        try await finder.find()
        result = nil
      } catch {
        result = error
      }
      await finder.close()
      self.finder = nil
      guard opening != nil else { return }
      if let result { throw result }
      // It is forgotten again when it is not heard again; Connect says so.
      _ = try await look()
      handle(.known)
    } catch {
      handle(.failed(error))
    }
  }

  /// Connects to the bus and asks for the signals.
  private func listen() async throws(GATTError) {
    guard !hasSignals else { return }
    let properties =
      "type='signal',sender='\(DaemonScan.service)',member='PropertiesChanged',"
      + "interface='\(DaemonScan.propertiesInterface)',"
    do throws(BusError) {
      try await bus.open(address: host.busAddress)
      try await bus.addMatch(
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
          + "member='NameOwnerChanged',arg0='\(DaemonScan.service)'")
      try await bus.addMatch(
        "type='signal',sender='\(DaemonScan.service)',"
          + "interface='\(DaemonPath.objectManager)',member='InterfacesRemoved'")
      try await bus.addMatch(properties + "path='\(DaemonScan.path(of: adapter))'")
      try await bus.addMatch(properties + "path_namespace='\(path)'")
      hasSignals = true
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

  /// Whether bluetoothd knows the peer; takes what it knows.
  private func look() async throws(GATTError) -> Bool {
    var properties = BusValue.dictionary([])
    var seen: Int
    repeat {
      // An answer is looked at later than signals that came after it: then it is out of date.
      seen = changes
      do throws(BusError) {
        properties = try await bus.properties(
          of: DaemonPath.device, at: path, on: DaemonScan.service)
      } catch {
        if isUnknown(error) { return false }
        throw DaemonFault.connecting(error)
      }
    } while seen != changes
    // The path of an object does not tell the two types apart.
    let type = properties["AddressType"]?.text
    guard type == nil || (type == "random") == (peer.addressType != .public) else {
      throw GATTError(
        .refused, during: "connect",
        "bluetoothd knows another device under the address \(peer), of type \(type ?? "")")
    }
    take(properties)
    return true
  }

  private func connect() async {
    wasAsked = true
    do throws(BusError) {
      try await bus.call(
        DaemonScan.service, path, DaemonPath.device, "Connect", within: limits.connect)
    } catch {
      return handle(.failed(DaemonFault.connecting(error)))
    }
    // bluetoothd 5.66 also answers well when the attempt was aborted meanwhile.
    _ = try? await look()
    guard isConnected else {
      return handle(
        .failed(
          GATTError(.abortedLocally, during: "connect", "the attempt to connect was aborted")))
    }
    handle(.answered)
  }

  private func readServices() async {
    do throws(BusError) {
      var characteristics: [GATTCharacteristic] = []
      var paths: [UInt16: String] = [:]
      for name in try await bus.children(of: path, on: DaemonScan.service)
      where name.hasPrefix("service") {
        for (characteristic, object) in try await readService("\(path)/\(name)") {
          characteristics.append(characteristic)
          paths[characteristic.handle] = object
        }
      }
      found = characteristics.sorted { $0.handle < $1.handle }
      self.paths = paths
    } catch {
      return handle(.failed(DaemonFault.connecting(error)))
    }
    handle(.services(found.count))
  }

  private func readService(
    _ service: String
  ) async throws(BusError) -> [(GATTCharacteristic, String)] {
    let uuid = try await bus.property(
      "UUID", of: DaemonPath.service, at: service, on: DaemonScan.service)
    guard let uuid = uuid?.text.flatMap({ DaemonPath.uuid($0) }) else { return [] }
    var characteristics: [(GATTCharacteristic, String)] = []
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

  // MARK: Signals

  private func changed(_ path: String, _ arguments: [BusValue]) {
    guard arguments.count >= 2, let interface = arguments[0].text else { return }
    switch interface {
    case DaemonPath.device where path == self.path:
      if arguments[1]["Connected"] != nil || arguments[1]["ServicesResolved"] != nil {
        changes += 1
      }
      take(arguments[1])
    case DaemonPath.characteristic:
      guard let queue = subscriptions[path], let value = arguments[1]["Value"]?.byteArray else {
        return
      }
      queue.push(value)
    case DaemonScan.adapterInterface where arguments[1]["Powered"]?.flag == false:
      lost(.adapterLost, "hci\(adapter) was switched off")
    default: break
    }
  }

  private func take(_ properties: BusValue) {
    if let flag = properties["Connected"]?.flag {
      isConnected = flag
      handle(.connected(flag))
      if !flag { lost(.abortedByPeer, "the peer has disconnected, or is out of range") }
      wakeWatchers()
    }
    if let flag = properties["ServicesResolved"]?.flag { handle(.resolved(flag)) }
  }

  private func removed(_ arguments: [BusValue]) {
    guard let object = arguments.first?.text else { return }
    let interfaces = (arguments.last?.elements ?? []).compactMap(\.text)
    if object == path, interfaces.contains(DaemonPath.device) {
      isConnected = false
      handle(.connected(false))
      lost(.abortedByPeer, "the peer has disconnected, or is out of range")
      wakeWatchers()
    } else if object == DaemonScan.path(of: adapter),
      interfaces.contains(DaemonScan.adapterInterface)
    {
      lost(.adapterLost, "hci\(adapter) was removed")
    }
  }

  /// The connection is gone. Where bluetoothd ends, or the adapter is switched off, it tells first
  /// that peers have disconnected: so that is believed only when nothing follows.
  private func lost(_ kind: GATTError.Kind, _ reason: String) {
    if opening != nil {
      // The connector knows of the property Connected.
      guard kind != .abortedByPeer else { return }
      return handle(.failed(GATTError(kind, during: "connect", reason)))
    }
    guard end == nil else { return }
    if kind == .daemonRestarted { return ended(kind, reason) }
    let isFirst = loss == nil
    if isFirst || kind == .adapterLost { loss = (kind, reason) }
    guard isFirst else { return }
    _ = reactor.schedule(after: .milliseconds(500)) { [weak self] in
      self?.assumeIsolated { $0.believeLoss() }
    }
  }

  private func believeLoss() {
    if let loss { ended(loss.kind, loss.reason) }
  }

  /// Nothing is possible any more; the first reason counts.
  private func ended(_ kind: GATTError.Kind, _ reason: String) {
    guard end == nil else { return }
    let error = GATTError(kind, during: "connect", reason)
    end = error
    for queue in subscriptions.values { queue.finish(error) }
    wakeWatchers()
    Task { await disconnect() }
  }

  private func wakeWatchers() {
    let watchers = watchers
    self.watchers = []
    for watcher in watchers { watcher.resume() }
  }

  // MARK: Operations

  var characteristics: [GATTCharacteristic] { found }

  func limitOperations(to limit: Duration) { operationLimit = limit }

  var mtu: Int? {
    get async {
      guard end == nil, let object = found.first.flatMap({ paths[$0.handle] }) else { return nil }
      // From BlueZ 5.62 on.
      let value = try? await bus.property(
        "MTU", of: DaemonPath.characteristic, at: object, on: DaemonScan.service)
      return value?.integer
    }
  }

  func read(_ characteristic: GATTCharacteristic) async throws(GATTError) -> [UInt8] {
    await takeTurn()
    defer { operations.leave() }
    let object = try object(of: characteristic, for: "read")
    subscriptions[object]?.hold()
    do throws(GATTError) {
      let answer = try await call("ReadValue", object, [.dictionary([])], "read")
      guard let value = answer.first?.byteArray else {
        throw GATTError(.malformed, during: "read", "bluetoothd gave no value")
      }
      subscriptions[object]?.release(read: value)
      return value
    } catch {
      subscriptions[object]?.release(read: nil)
      throw error
    }
  }

  func write(
    _ value: [UInt8], to characteristic: GATTCharacteristic, _ kind: GATTWriteKind
  ) async throws(GATTError) {
    await takeTurn()
    defer { operations.leave() }
    let object = try object(of: characteristic, for: "write")
    if kind == .withoutResponse, let mtu = await mtu, value.count > mtu - 3 {
      throw GATTError(
        .refused, during: "write",
        "\(value.count) octets do not fit into a write without response: the MTU is \(mtu)")
    }
    let type = kind == .withResponse ? "request" : "command"
    _ = try await call(
      "WriteValue", object, [.bytes(value), .properties(["type": .string(type)])], "write")
  }

  func subscribe(to characteristic: GATTCharacteristic) async throws(GATTError) {
    guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
      throw GATTError(
        .notFound, during: "subscribe",
        "the characteristic \(characteristic.uuid) has neither indications nor notifications")
    }
    await takeTurn()
    defer { operations.leave() }
    let object = try object(of: characteristic, for: "subscribe")
    guard subscriptions[object] == nil else { return }
    // Values may come before the answer.
    subscriptions[object] = ValueQueue(on: reactor)
    do throws(GATTError) {
      _ = try await call("StartNotify", object, [], "subscribe")
    } catch {
      subscriptions.removeValue(forKey: object)?.finish(error)
      throw error
    }
  }

  func nextValue(
    of characteristic: GATTCharacteristic, within limit: Duration
  ) async throws(GATTError) -> [UInt8] {
    guard let queue = paths[characteristic.handle].flatMap({ subscriptions[$0] }) else {
      if let end { throw GATTError(end.kind, during: "indication", end.reason) }
      throw GATTError(
        .notFound, during: "indication",
        "the characteristic \(characteristic.uuid) is not subscribed to")
    }
    let result = await withCheckedContinuation { queue.next(within: limit, $0) }
    return try result.get()
  }

  /// The characteristic's object, unless the connection has ended.
  private func object(
    of characteristic: GATTCharacteristic, for operation: String
  ) throws(GATTError) -> String {
    if let end { throw GATTError(end.kind, during: operation, end.reason) }
    guard let object = paths[characteristic.handle] else {
      throw GATTError(
        .notFound, during: operation, "the peer has no characteristic \(characteristic.uuid)")
    }
    return object
  }

  private func takeTurn() async {
    if operations.take() { return }
    await withCheckedContinuation { operations.wait($0) }
  }

  private func call(
    _ method: String, _ object: String, _ arguments: [BusValue], _ operation: String
  ) async throws(GATTError) -> [BusValue] {
    do throws(BusError) {
      return try await bus.call(
        DaemonScan.service, object, DaemonPath.characteristic, method, arguments,
        within: operationLimit)
    } catch {
      throw await explain(DaemonFault.operation(error, during: operation))
    }
  }

  /// The error of an operation, or what lies behind it: bluetoothd answers operations that the end
  /// of the connection has cut off with texts of its own, before it tells the end.
  private func explain(_ error: GATTError) async -> GATTError {
    switch error.kind {
    case .refused where error.attributeError != nil && error.attributeError != 0x0E: return error
    case .timedOut where end == nil:
      // The peer owes an answer, and takes no other request before it has given it (Core
      // Specification, Vol 3, Part F, 3.3.3).
      ended(.timedOut, "the peer gave no answer to an earlier operation in time")
      return error
    default: await settle(.seconds(1))
    }
    return end.map { GATTError($0.kind, during: error.operation, $0.reason) } ?? error
  }

  /// Waits a little for the end of the connection to become known.
  private func settle(_ limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    while end == nil, .now < deadline {
      let timer = reactor.schedule(after: deadline - .now) { [weak self] in
        self?.assumeIsolated { $0.wakeWatchers() }
      }
      await withCheckedContinuation { watchers.append($0) }
      timer.cancel()
    }
  }

  // MARK: The end

  /// Whether the connection is over, and only has to be tidied up after.
  var isEnding: Bool { ending != nil || end != nil || loss != nil }

  func disconnect() async {
    if let ending { return await ending.value }
    if opening != nil {
      finish(GATTError(.abortedLocally, during: "connect", "this program has taken it back"))
    } else {
      ended(.abortedLocally, "the connection was ended by this program")
    }
    if let ending { return await ending.value }
    let task = Task { await tidy() }
    ending = task
    await task.value
  }

  private func tidy() async {
    await finder?.close()
    if wasAsked && end?.kind != .daemonRestarted {
      // Also takes back an attempt that is under way. bluetoothd 5.66 waits two seconds before it
      // ends a connection.
      _ = try? await bus.call(
        DaemonScan.service, path, DaemonPath.device, "Disconnect", within: .seconds(5))
      if isConnected { await settleDisconnected() }
      await forget()
    }
    await bus.close()
    await onEnd()
  }

  private func settleDisconnected() async {
    let limit = ContinuousClock.now + .seconds(3)
    while isConnected, .now < limit {
      let timer = reactor.schedule(after: .milliseconds(100)) { [weak self] in
        self?.assumeIsolated { $0.wakeWatchers() }
      }
      await withCheckedContinuation { watchers.append($0) }
      timer.cancel()
    }
  }

  /// Has bluetoothd forget the peer: since it was connected to, its object would stay for ever, and
  /// trackers come with a new address every few minutes. What a person has paired or trusted stays.
  private func forget() async {
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
