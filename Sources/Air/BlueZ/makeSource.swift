public import Bluetooth
import Diagnosis
import EventLoop
import HCIHost

/// A source of advertisements over `path`, not started yet.
///
/// - Throws: ``Bluetooth/SourceError`` of kind `invalid` when `options` make no sense for `path`.
public func makeSource(
  _ path: RadioPath, options: ScanOptions = ScanOptions()
) throws(SourceError) -> any AdvertisementSource {
  try makeSource(path, options: options, host: LinuxHost())
}

func makeSource(
  _ path: RadioPath, options: ScanOptions, host: any BluetoothHost
) throws(SourceError) -> RadioSource {
  try check(path, options)
  return RadioSource(path, options: options) { () throws(SourceError) in
    guard path == .auto else { return ScanPlan(path, options, host) }
    let choice = try await AutoPath(reactor: .shared, host: host, options: options).choose()
    var plan = ScanPlan(choice.path, options, host)
    plan.reason = choice.reason
    plan.remedy = choice.remedy
    return plan
  }
}

private func check(_ path: RadioPath, _ options: ScanOptions) throws(SourceError) {
  guard !options.phys.isEmpty, options.phys.isSubset(of: [.le1M, .leCoded]) else {
    throw SourceError(
      .invalid, "advertisers are heard on the PHYs 1M and Coded only",
      remedy: "use \(.phys("1m,coded"))")
  }
  switch path {
  case .h4 where !options.adapters.isEmpty:
    throw SourceError(.invalid, "h4: names the controller already", remedy: "leave out \(.adapter)")
  case .dbus where options.mode == .passive:
    throw SourceError(
      .invalid, "bluetoothd scans actively only",
      remedy: "a passive scan needs \(.radioPath("observe or mgmt")), with CAP_NET_ADMIN")
  case .dbus where options.phys.contains(.leCoded):
    throw SourceError(
      .invalid, "bluetoothd cannot be asked to listen on LE Coded",
      remedy: "that needs \(.radioPath("observe or mgmt")), with CAP_NET_ADMIN")
  default: break
  }
}

extension ScanPlan {
  /// A session for every adapter that `options` name, or for one that is chosen when it starts.
  fileprivate init(_ path: RadioPath, _ options: ScanOptions, _ host: any BluetoothHost) {
    let selectors = options.adapters.isEmpty ? [nil] : options.adapters.map { Optional($0) }
    let targets = selectors.map { AdapterTarget($0) }
    let clients = targets.map { _ in ControllerClient(reactor: .shared) }
    self.init(
      path: path,
      adapters: zip(targets, clients).map { target, client in
        ScanPlan.adapter(path, host, target) {
          ScanPlan.session(path, options, host, target, client, $0)
        }
      }, targets: targets, clients: clients, isHelped: { path != .dbus && host.isHelped })
  }

  private static func adapter(
    _ path: RadioPath, _ host: any BluetoothHost, _ target: AdapterTarget,
    _ makeSession: @escaping ScanDriver.MakeSession
  ) -> Adapter {
    if case .h4 = path { return Adapter(name: "h4", makeSession: makeSession) }
    return Adapter(
      name: target.name, makeSession: makeSession,
      rungs: path == .exclusive ? RecoveryLadder.exclusive : RecoveryLadder.adapter,
      repair: AdapterRepair(reactor: .shared, host: host, target: target))
  }

  private static func session(
    _ path: RadioPath, _ options: ScanOptions, _ host: any BluetoothHost, _ target: AdapterTarget,
    _ client: ControllerClient, _ outlet: ScanOutlet
  ) -> any ScanSession {
    let reactor = Reactor.shared
    func controller(_ access: any ControllerAccess) -> ControllerSession {
      ControllerSession(
        reactor: reactor, outlet: outlet, access: access, settings: HCIScanner.Settings(options),
        client: client)
    }
    switch path {
    case .auto, .observe:
      return ObserveSession(
        reactor: reactor, outlet: outlet, host: host, target: target, options: options)
    case .mgmt:
      return MgmtSession(
        reactor: reactor, outlet: outlet, host: host, target: target, options: options)
    case .dbus:
      return DBusSession(
        reactor: reactor, outlet: outlet, host: host, target: target, options: options)
    case .exclusive:
      return controller(ExclusiveAccess(reactor: reactor, host: host, target: target))
    case .h4(let address): return controller(H4Access(address: address))
    }
  }
}
