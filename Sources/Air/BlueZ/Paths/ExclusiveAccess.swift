import Bluetooth
import Diagnosis
import EventLoop
import Glibc
import HCIHost
import SystemBus

/// An adapter taken away from the kernel: the HCI user channel. It is given back at the end, with
/// the power that it had.
actor ExclusiveAccess: ReactorActor, ControllerAccess {
  nonisolated let reactor: Reactor

  private let host: any BluetoothHost
  private let target: AdapterTarget
  private let mgmt: MgmtSocket
  private var index: UInt16?
  private var wasPowered = false

  init(reactor: Reactor, host: any BluetoothHost, target: AdapterTarget) {
    self.reactor = reactor
    self.host = host
    self.target = target
    mgmt = MgmtSocket(reactor: reactor)
  }

  var adapter: UInt16? { index }
  var name: String { target.name }

  func open(on reactor: Reactor) async throws(SourceError) -> sending HCIChannel {
    do throws(SystemCallError) {
      try await mgmt.open(on: host)
    } catch {
      throw AdapterProblem.socket(error, for: "ask the kernel about adapters", on: host)
    }
    let found = try await AdapterFinder(mgmt: mgmt, host: host).find(target)
    guard RFKill.state(of: found.index, on: host) == .unblocked else {
      throw AdapterProblem.off(found.index, on: host)
    }
    try await checkIdle(found.index)
    await KernelScan(reactor: self.reactor, mgmt: mgmt, host: host, index: found.index)
      .clearLeftovers(keepingPower: true)
    try await powerOff(found)
    return HCIChannel(try await take(found.index), .packets, on: reactor)
  }

  /// Nobody may be connected through the adapter, or scan with it.
  private func checkIdle(_ index: UInt16) async throws(SourceError) {
    let connections: Int
    do throws(MgmtError) {
      connections = MgmtPacket.list(try await mgmt.send(MgmtOpcode.getConnections, to: index)).count
    } catch {
      if error.status == .permissionDenied { throw notPermitted(index) }
      connections = 0  // not powered
    }
    if connections > 0 {
      throw SourceError(
        .busy, "hci\(index) has \(connections) connection\(connections == 1 ? "" : "s")",
        remedy: "disconnect first (bluetoothctl disconnect), or use \(.radioPath("observe"))")
    }
    let bus = BusConnection(reactor: reactor)
    var isDiscovering = false
    // Not to start bluetoothd by asking: it would take the adapter.
    if (try? await bus.open(address: host.busAddress)) != nil,
      (try? await bus.owner(of: DaemonScan.service)) != nil
    {
      let answer = try? await bus.property(
        "Discovering", of: DaemonScan.adapterInterface, at: DaemonScan.path(of: index),
        on: DaemonScan.service)
      isDiscovering = answer?.flag ?? false
    }
    await bus.close()
    if isDiscovering {
      throw SourceError(
        .busy, "bluetoothd scans with hci\(index) for another program",
        remedy: "stop that program's scan, or use \(.radioPath("observe")), which disturbs nobody")
    }
  }

  private func notPermitted(_ index: UInt16) -> SourceError {
    AdapterProblem.permission("take hci\(index) for itself", on: host)
  }

  private func powerOff(_ found: AdapterFinder.Found) async throws(SourceError) {
    wasPowered = found.information.current.contains(.powered)
    guard wasPowered else { return }
    do throws(MgmtError) {
      try await mgmt.send(MgmtOpcode.setPowered, to: found.index, [0], within: .seconds(10))
    } catch {
      if error.status == .permissionDenied { throw notPermitted(found.index) }
      throw SourceError(.busy, "hci\(found.index) cannot be powered off (\(error))")
    }
  }

  private func take(_ index: UInt16) async throws(SourceError) -> Int32 {
    var attempts = 0
    while true {
      do throws(SystemCallError) {
        // Both wait for whatever the kernel does with the adapter, for seconds when that does not
        // answer: nobody else may have to wait for them.
        let descriptor = try await Blocking.run { [host] () throws(SystemCallError) in
          try host.openUser(index)
        }
        self.index = index
        return descriptor
      } catch {
        attempts += 1
        switch error.errno {
        case EPERM, EACCES: throw notPermitted(index)
        case EBUSY where attempts < 10:
          // Powering off takes effect a little later; somebody may have powered it on again.
          await Blocking.run { [host] in try? host.takeDown(index) }
          try? await Task.sleep(for: .milliseconds(100))
        case EBUSY, EUSERS: throw AdapterProblem.exclusive(index, on: host)
        default: throw SourceError(.lost, "hci\(index) cannot be taken (\(error))")
        }
      }
    }
  }

  func close() async {
    if let index, wasPowered { await restorePower(index) }
    await mgmt.close()
  }

  /// bluetoothd powers the adapter on when it comes back; where it does not, we do.
  private func restorePower(_ index: UInt16) async {
    for attempt in 1...20 {
      try? await Task.sleep(for: .milliseconds(100))
      guard let reply = try? await mgmt.send(MgmtOpcode.readInformation, to: index),
        let information = MgmtInformation(reply)
      else {
        // One that was unplugged is not waited for.
        if attempt >= 3, (try? host.devices())?.contains(index) == false { return }
        continue
      }
      if information.current.contains(.powered) { return }
      if attempt >= 5 {
        _ = try? await mgmt.send(MgmtOpcode.setPowered, to: index, [1])
        return
      }
    }
  }
}
