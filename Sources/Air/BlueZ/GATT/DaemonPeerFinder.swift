import Bluetooth
import Diagnosis
import EventLoop
import SystemBus

/// Waits until bluetoothd knows a peer, and has it look for it: only what it has heard can be
/// connected to. On a connection to the bus of its own, whose end also ends the discovery.
actor DaemonPeerFinder: ReactorActor {
  nonisolated let reactor: Reactor

  private let host: any BluetoothHost
  private let adapter: UInt16
  private let path: String
  private let relay = Relay()
  private let bus: BusConnection
  private var waiting: CheckedContinuation<Void, Never>?
  private var isKnown = false

  /// Carries signals to the finder, on the reactor's thread.
  private final class Relay: Sendable {
    nonisolated(unsafe) weak var finder: DaemonPeerFinder?

    func deliver(_ signal: borrowing BusSignal) {
      // What anybody may send to this connection alone is nothing that bluetoothd says.
      guard signal.isBroadcast,
        signal.isSignal("org.freedesktop.DBus.ObjectManager", "InterfacesAdded")
      else { return }
      let arguments = signal.arguments
      finder?.assumeIsolated { $0.added(arguments) }
    }
  }

  init(reactor: Reactor, host: any BluetoothHost, adapter: UInt16, path: String) {
    self.reactor = reactor
    self.host = host
    self.adapter = adapter
    self.path = path
    let relay = relay
    bus = BusConnection(reactor: reactor) { relay.deliver($0) }
  }

  /// Returns when bluetoothd knows the peer, or ``close()`` was called.
  func find() async throws(GATTError) {
    relay.finder = self
    do throws(BusError) {
      try await bus.open(address: host.busAddress)
      try await bus.addMatch(
        "type='signal',sender='\(DaemonScan.service)',"
          + "interface='\(DaemonPath.objectManager)',member='InterfacesAdded'")
    } catch {
      throw DaemonFault.connecting(error)
    }
    let scan = DaemonScan(reactor: reactor, bus: bus, host: host)
    do throws(BusError) {
      try await scan.begin(on: adapter)
    } catch {
      let problem = scan.problem(error, adapter)
      // The kernel finishes an attempt to connect first that another program has left, which takes it
      // up to 20 s. Had bluetoothd ended, the connection would hear of it.
      let kind = error.name == BusError.noReply ? .timedOut : kind(of: problem)
      throw GATTError(kind, during: "connect", problem.reason)
    }
    // It may have come before the signals were asked for.
    let known = try? await bus.property(
      "Address", of: DaemonPath.device, at: path, on: DaemonScan.service)
    guard known == nil else { return }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      if isKnown { continuation.resume() } else { waiting = continuation }
    }
  }

  private func kind(of error: SourceError) -> GATTError.Kind {
    switch error.kind {
    case .noAdapter, .off: .adapterLost
    case .busy: .busy
    case .noPermission, .invalid, .unreadable: .refused
    case .lost: .daemonRestarted
    }
  }

  private func added(_ arguments: [BusValue]) {
    guard arguments.first?.text == path, arguments.last?[DaemonPath.device] != nil else { return }
    finish()
  }

  private func finish() {
    isKnown = true
    waiting?.resume()
    waiting = nil
  }

  /// Ends the discovery and the wait.
  func close() async {
    finish()
    await bus.close()
  }
}
