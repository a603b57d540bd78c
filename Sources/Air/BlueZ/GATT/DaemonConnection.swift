import Bluetooth
import Diagnosis
import EventLoop
import HCIHost
import SystemBus

/// A connection to a peer that bluetoothd has made for us. It has a connection to the bus of its
/// own: whatever goes wrong, its end takes back the match rules (always the same four) and the
/// subscriptions at once.
actor DaemonConnection: ValueReceiver, GATTConnection {
  nonisolated let reactor: Reactor

  private let host: any BluetoothHost
  private let adapter: UInt16
  private let peer: GATTPeer
  private let limits: GATTLimits
  var operationLimit: Duration
  private let progress: @Sendable (String) -> Void
  private let onEnd: @Sendable () async -> Void
  private let relay = Relay()
  let bus: BusConnection
  private let discovery: DaemonDiscovery

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

  /// What the peer offers, and the objects by the handles.
  private(set) var characteristics: [GATTCharacteristic] = []
  private(set) var paths: [UInt16: String] = [:]
  /// The values of the objects that were subscribed to.
  var subscriptions: [String: ValueQueue] = [:]
  var operations = OperationQueue()
  /// Why nothing is possible any more.
  private(set) var end: GATTError?
  /// What has ended the connection as far as is known yet, until ``end`` is set.
  private var loss: (kind: GATTError.Kind, reason: String)?
  private var ending: Task<Void, Never>?

  /// Carries signals to the connection, on the reactor's thread.
  private final class Relay: Sendable {
    nonisolated(unsafe) weak var connection: DaemonConnection?

    func deliver(_ signal: borrowing BusSignal) {
      // What anybody may send to this connection alone is nothing that bluetoothd or the bus says.
      guard signal.isBroadcast else { return }
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
    connector = DaemonConnector(peer: peer, limit: limits.connect)
    let relay = relay
    bus = BusConnection(
      reactor: reactor, onSignal: { relay.deliver($0) }, onClose: { relay.closed() })
    discovery = DaemonDiscovery(bus: bus, adapter: adapter, peer: peer)
  }

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
    timer = schedule(after: max(.zero, epoch + time - .now)) { $0.handle(.timer) }
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
      if !hasSignals {
        try await discovery.listen(at: host.busAddress)
        hasSignals = true
      }
      if try await look() { return handle(.known) }
      let finder = DaemonPeerFinder(
        reactor: reactor, host: host, adapter: adapter, path: discovery.path)
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

  /// Whether bluetoothd knows the peer; takes what it knows.
  private func look() async throws(GATTError) -> Bool {
    while true {
      let seen = changes
      guard let properties = try await discovery.properties() else { return false }
      // An answer is looked at later than signals that came after it: then it is out of date.
      guard seen == changes else { continue }
      try discovery.check(properties)
      take(properties)
      return true
    }
  }

  private func connect() async {
    wasAsked = true
    do throws(BusError) {
      try await bus.call(
        DaemonScan.service, discovery.path, DaemonPath.device, "Connect", within: limits.connect)
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
      let objects = try await discovery.characteristics()
      characteristics = objects.map(\.characteristic).sorted { $0.handle < $1.handle }
      paths = Dictionary(
        objects.map { ($0.characteristic.handle, $0.path) }, uniquingKeysWith: { $1 })
    } catch {
      return handle(.failed(DaemonFault.connecting(error)))
    }
    handle(.services(characteristics.count))
  }

  private func changed(_ path: String, _ arguments: [BusValue]) {
    guard arguments.count >= 2, let interface = arguments[0].text else { return }
    switch interface {
    case DaemonPath.device where path == discovery.path:
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
    if object == discovery.path, interfaces.contains(DaemonPath.device) {
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
    _ = schedule(after: .milliseconds(500)) { $0.believeLoss() }
  }

  private func believeLoss() {
    if let loss { ended(loss.kind, loss.reason) }
  }

  /// Nothing is possible any more; the first reason counts.
  func ended(_ kind: GATTError.Kind, _ reason: String) {
    guard end == nil else { return }
    let error = GATTError(kind, during: "connect", reason)
    end = error
    for queue in subscriptions.values { queue.finish(error) }
    wakeWatchers()
    Task { await disconnect() }
  }

  func wakeWatchers() {
    let watchers = watchers
    self.watchers = []
    for watcher in watchers { watcher.resume() }
  }

  /// Waits a little for the end of the connection to become known.
  func settle(_ limit: Duration) async {
    let deadline = ContinuousClock.now + limit
    while end == nil, .now < deadline {
      await waitForChange(within: deadline - .now) { end == nil }
    }
  }

  private func waitForChange(within limit: Duration, while isNeeded: () -> Bool) async {
    let deadline = ContinuousClock.now + limit
    let timer = schedule(after: max(.zero, limit)) { $0.wakeWatchers() }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      // It may have come since it was looked for, or the time be over.
      guard isNeeded(), .now < deadline else { return continuation.resume() }
      watchers.append(continuation)
    }
    timer.cancel()
  }

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
        DaemonScan.service, discovery.path, DaemonPath.device, "Disconnect", within: .seconds(5))
      if isConnected { await settleDisconnected() }
      await discovery.forget()
    }
    await bus.close()
    await onEnd()
  }

  private func settleDisconnected() async {
    let limit = ContinuousClock.now + .seconds(3)
    while isConnected, .now < limit {
      await waitForChange(within: .milliseconds(100)) { isConnected }
    }
  }
}
