import Bluetooth
import Diagnosis
import EventLoop
import HCIHost
import SystemBus

/// Sees to it that an adapter scans, beside bluetoothd where it runs and without it otherwise, and
/// tells when it does no more. Whoever reads the reports reads them elsewhere.
actor ScanRequest: ReactorActor {
  nonisolated let reactor: Reactor

  private let host: any BluetoothHost
  private let target: AdapterTarget
  private let options: ScanOptions
  private let usesDaemon: Bool
  private let wantsReports: Bool
  private let onFault: @Sendable (SourceError) -> Void
  private let mgmt: MgmtSocket
  private let bus: BusConnection
  private let events: EventRelay

  private var daemon: DaemonScan?
  private var kernel: KernelScan?
  private var isDrivenByKernel = false
  private var isDiscoveredByDaemon = false
  /// Whether an advertisement monitor is part of the scan.
  private var isMonitored = false
  private var isResting = false
  private var daemonCame = false
  private var isOpen = false
  /// What happened while it was being opened.
  private var early: SourceError?

  private var index: UInt16?

  /// - Parameters:
  ///   - usesDaemon: Whether bluetoothd is asked to scan when it runs.
  ///   - onFault: Called when the adapter scans no more.
  ///   - onReport: Gets what the kernel's management reports as found: code, index, parameters and
  ///     time. Without it the kernel is told not to report.
  ///   - onBatch: Called after the reports that came together.
  init(
    reactor: Reactor, host: any BluetoothHost, target: AdapterTarget, options: ScanOptions,
    usesDaemon: Bool, onFault: @escaping @Sendable (SourceError) -> Void,
    onReport: MgmtSocket.EventHandler? = nil, onBatch: @escaping @Sendable () -> Void = {}
  ) {
    self.reactor = reactor
    self.host = host
    self.target = target
    self.options = options
    self.usesDaemon = usesDaemon
    wantsReports = onReport != nil
    self.onFault = onFault
    let events = EventRelay()
    self.events = events
    mgmt = MgmtSocket(
      reactor: reactor,
      onEvent: { code, index, parameters, time in
        switch code {
        case MgmtEventCode.deviceFound, MgmtEventCode.monitorDeviceFound:
          onReport?(code, index, parameters, time)
        default: events.mgmt(code, index, parameters)
        }
      }, onBatch: onBatch, onEnd: { events.mgmtEnded($0) })
    bus = BusConnection(reactor: reactor) { events.bus($0) }
  }

  /// Carries events from the two connections to the request, on the reactor's thread.
  private final class EventRelay: Sendable {
    nonisolated(unsafe) weak var request: ScanRequest?

    func mgmt(_ code: UInt16, _ index: UInt16, _ parameters: Span<UInt8>) {
      let bytes = (0..<parameters.count).map { parameters[$0] }
      request?.assumeIsolated { $0.happened(code, index, bytes) }
    }

    func mgmtEnded(_ error: SystemCallError?) {
      let reason = error.map { " (\($0))" } ?? ""
      request?.assumeIsolated {
        $0.changed(SourceError(.lost, "the kernel's management socket has ended\(reason)"))
      }
    }

    func bus(_ signal: borrowing BusSignal) {
      // What anybody may send to this connection alone is nothing that the bus says.
      guard signal.isBroadcast, signal.isSignal("org.freedesktop.DBus", "NameOwnerChanged") else {
        return
      }
      let hasOwner = signal.arguments.last?.text?.isEmpty == false
      request?.assumeIsolated { $0.daemonChanged(isRunning: hasOwner) }
    }
  }

  /// Finds the adapter and makes it scan.
  ///
  /// - Returns: N of hciN, and who scans and how as a clause for a person.
  func open() async throws(SourceError) -> (index: UInt16, clause: String) {
    events.request = self
    do throws(SystemCallError) {
      try await mgmt.open(on: host, withoutReports: !wantsReports)
    } catch {
      throw AdapterProblem.socket(error, for: "ask the kernel about adapters", on: host)
    }
    let finder = AdapterFinder(mgmt: mgmt, host: host)
    let index = try await finder.find(target).index
    self.index = index
    let kernel = KernelScan(reactor: reactor, mgmt: mgmt, host: host, index: index)
    self.kernel = kernel
    if usesDaemon, await daemonRuns() {
      daemon = DaemonScan(reactor: reactor, bus: bus, host: host)
    }
    await kernel.clearLeftovers(keepingPower: daemon != nil)
    // What was left behind may have been the power: only now is the state what it is.
    let found = try await finder.find(target)
    try await power(found, kernel)
    let coded = try await preparePHYs(kernel)
    let monitor = try await kernel.monitor()
    isMonitored = monitor == .registered
    let scanner = try await scan(found.index, monitor, kernel)
    isOpen = true
    if let early { fault(early) }
    return (found.index, clause(found.index, monitor, scanner, coded))
  }

  private func daemonRuns() async -> Bool {
    // No bus, or none for us: then there is no bluetoothd for us either.
    guard (try? await bus.open(address: host.busAddress)) != nil else { return false }
    let daemon = DaemonScan(reactor: reactor, bus: bus, host: host)
    return (try? await daemon.connect()) ?? false
  }

  private func power(
    _ found: AdapterFinder.Found, _ kernel: KernelScan
  ) async throws(SourceError) {
    let isPowered = found.information.current.contains(.powered)
    if daemon != nil && isPowered { return }
    let isBlocked = RFKill.state(of: found.index, on: host) != .unblocked
    // Off because bluetoothd, or who commands it, wants it so?
    var isMeant = daemon != nil
    if !usesDaemon && !isPowered {
      isMeant = await daemonRuns()
      await bus.close()
    }
    if isBlocked || isMeant { throw AdapterProblem.off(found.index, on: host) }
    try await kernel.powerOn(found.information)
  }

  /// Whether LE Coded is listened on.
  private func preparePHYs(_ kernel: KernelScan) async throws(SourceError) -> Bool {
    guard options.phys.contains(.leCoded) else { return false }
    let done = await kernel.listenOnCoded()
    guard !done, options.phys == [.leCoded] else { return done }
    throw SourceError(
      .invalid, "hci\(kernel.index) cannot be made to listen on LE Coded",
      remedy: "it needs a controller with LE Coded, a kernel from 5.5 on, and CAP_NET_ADMIN")
  }

  private enum Scanner {
    case daemon, kernel, somebody, nobody
    case monitorOnly(String?)
  }

  private func scan(
    _ index: UInt16, _ monitor: KernelScan.Monitor, _ kernel: KernelScan
  ) async throws(SourceError) -> Scanner {
    // Without any right to make it scan, what others let it hear can still be read.
    if monitor == .forbidden && daemon == nil && !wantsReports { return .nobody }
    if options.mode == .passive {
      if monitor == .registered { return .monitorOnly(nil) }
      throw cannotBePassive(index, monitor)
    }
    do throws(SourceError) {
      if let daemon {
        try await daemon.discover(on: index)
        isDiscoveredByDaemon = true
        return .daemon
      }
      isDrivenByKernel = true
      return try await kernel.discover() ? .kernel : .somebody
    } catch {
      // The monitor alone is better than nothing, unless it is not what was asked for.
      guard monitor == .registered, options.mode == .auto, error.kind != .off else {
        guard monitor == .forbidden, daemon == nil else { throw error }
        throw AdapterProblem.permission("make hci\(index) scan without bluetoothd", on: host)
      }
      isDrivenByKernel = false
      return .monitorOnly(error.reason)
    }
  }

  private func cannotBePassive(_ index: UInt16, _ monitor: KernelScan.Monitor) -> SourceError {
    switch monitor {
    case .forbidden:
      AdapterProblem.permission("scan passively, which takes an advertisement monitor", on: host)
    case .offloaded:
      SourceError(
        .invalid,
        "hci\(index) compares advertisements with patterns by itself, so that a passive scan "
          + "would not show all",
        remedy: "use \(.activeScan), or \(.passiveScan(path: "exclusive"))")
    case .unsupported, .registered:
      SourceError(
        .invalid, "this kernel has no advertisement monitors, which a passive scan takes",
        remedy: "use \(.activeScan), or \(.passiveScan(path: "exclusive"))")
    }
  }

  private func clause(
    _ index: UInt16, _ monitor: KernelScan.Monitor, _ scanner: Scanner, _ coded: Bool
  ) -> String {
    var text: String
    switch scanner {
    case .daemon: text = "bluetoothd scans with hci\(index) actively"
    case .kernel: text = "hci\(index) scans actively, without bluetoothd"
    case .nobody:
      text = "another program scans with hci\(index), if one does: this one may not (CAP_NET_ADMIN)"
    case .somebody: text = "another program scans with hci\(index)"
    case .monitorOnly(let why):
      text = "hci\(index) scans passively" + (why.map { " (\($0))" } ?? "")
    }
    if options.phys.contains(.leCoded) {
      text += coded ? " on LE 1M and Coded" : ", on LE 1M only"
    }
    if monitor != .registered {
      text += ", where the controller may hide repeats"
      text += monitor == .forbidden ? " (CAP_NET_ADMIN would prevent that)" : ""
    }
    return text
  }

  private func happened(_ code: UInt16, _ index: UInt16, _ parameters: [UInt8]) {
    guard index == self.index else { return }
    if code == MgmtEventCode.indexRemoved {
      return changed(SourceError(.noAdapter, "hci\(index) was removed"))
    }
    guard isOpen else { return }
    switch code {
    case MgmtEventCode.newSettings where parameters.count >= 4:
      let settings = MgmtSettings(rawValue: MgmtPacket.number32(parameters.span, 0))
      if !settings.contains(.powered) { fault(AdapterProblem.off(index, on: host)) }
    case MgmtEventCode.discovering where parameters.count >= 2:
      // The kernel ends every discovery after 10.24 s; bluetoothd begins anew by itself.
      if isDrivenByKernel, !isResting, parameters[1] == 0 { Task { await discoverAgain() } }
    case MgmtEventCode.monitorRemoved where parameters.count >= 2:
      Task { await monitorRemoved(MgmtPacket.number(parameters.span, 0)) }
    default: break
    }
  }

  private func discoverAgain() async {
    guard isOpen, !isResting, let kernel else { return }
    do throws(SourceError) {
      _ = try await kernel.discover()
    } catch {
      fault(error)
    }
  }

  private func monitorRemoved(_ handle: UInt16) async {
    guard await kernel?.monitorHandle == handle else { return }
    fault(SourceError(.lost, "another program has removed our advertisement monitor"))
  }

  private func daemonChanged(isRunning: Bool) {
    guard isRunning || daemon != nil else { return }
    daemonCame = isRunning
    changed(SourceError(.lost, isRunning ? "bluetoothd was started" : "bluetoothd has stopped"))
  }

  private func changed(_ error: SourceError) {
    if isOpen { fault(error) } else { early = error }
  }

  private func fault(_ error: SourceError) {
    guard isOpen else { return }
    isOpen = false
    onFault(error)
  }

  /// Ends the scan and keeps everything else that was changed for it.
  func pause() async {
    guard isOpen, let kernel else { return }
    isResting = true
    if isDiscoveredByDaemon { await daemon?.rest(on: kernel.index) }
    await kernel.rest()
  }

  /// Makes the adapter scan again, in the same way.
  func resume() async throws(SourceError) {
    guard isOpen, isResting, let kernel else { return }
    isResting = false
    if isMonitored, try await kernel.monitorAgain() != .registered {
      throw SourceError(.lost, "the kernel refuses another advertisement monitor")
    }
    if isDiscoveredByDaemon { try await daemon?.discover(on: kernel.index) }
    if isDrivenByKernel { _ = try await kernel.discover() }
  }

  /// The packets that the kernel could not deliver on the management socket.
  var drops: UInt64 { get async { await mgmt.drops(on: host) } }

  /// Ends the scan and takes back what was changed for it.
  func close() async {
    isOpen = false
    await bus.close()
    // The power is bluetoothd's to decide as soon as it runs.
    var keepsPower = daemonCame
    if !usesDaemon, !keepsPower, await kernel?.isPoweredByUs == true {
      keepsPower = await daemonRuns()
      await bus.close()
    }
    await kernel?.undo(keepingPower: keepsPower)
    await mgmt.close()
  }
}
