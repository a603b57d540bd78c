import Bluetooth
import EventLoop
import HCIHost

/// Connects with the adapter that a source listens with, in the way that goes with how it listens.
actor RadioClient: ReactorActor, GATTClient {
  nonisolated let reactor: Reactor

  private let source: RadioSource
  private let host: any BluetoothHost
  private var daemon: DaemonGATTClient?
  private var kernel: L2CAPGATTClient?
  private var controller: ControllerClient?
  private var isClosed = false

  init(reactor: Reactor, source: RadioSource, host: any BluetoothHost) {
    self.reactor = reactor
    self.source = source
    self.host = host
    // A session that is closed may switch off an adapter that it had switched on.
    source.beforeClosing = { [weak self] in await self?.kernel?.disconnect() }
  }

  func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    let client = try await client(progress)
    return try await client.connect(to: peer, limits, progress: progress)
  }

  private func client(
    _ progress: @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTClient {
    guard !isClosed else {
      throw GATTError(.abortedLocally, during: "connect", "the client was closed")
    }
    guard let plan = source.planned, let target = plan.targets.first else {
      throw GATTError(.adapterLost, during: "connect", "the radio was not started yet")
    }
    switch plan.path {
    case .auto, .observe:
      let hasDaemon = await DaemonScan.isRunning(on: reactor, host)
      return hasDaemon ? throughDaemon(target) : throughKernel(target)
    case .dbus: return throughDaemon(target)
    case .exclusive, .h4:
      guard let client = plan.clients.first else { throw cannot(plan) }
      controller = client
      return client
    case .mgmt: return throughKernel(target)
    }
  }

  private func throughDaemon(_ target: AdapterTarget) -> DaemonGATTClient {
    if let daemon { return daemon }
    let client = DaemonGATTClient(
      reactor: reactor, host: host, adapter: { target.place?.index },
      afterConnection: { [weak source] in await source?.expectReports() })
    daemon = client
    return client
  }

  private func throughKernel(_ target: AdapterTarget) -> L2CAPGATTClient {
    if let kernel { return kernel }
    let client = L2CAPGATTClient(
      reactor: reactor, host: host,
      // Not while a step may switch the adapter off under it.
      adapter: { [weak source] in
        guard source?.isBeingRecovered == false, let place = target.place else { return nil }
        return place.address.map { (place.index, $0) }
      },
      afterConnection: { [weak source] in await source?.expectReports() })
    kernel = client
    return client
  }

  private func cannot(_ plan: ScanPlan) -> GATTError {
    GATTError(.refused, during: "connect", "the radio path \(plan.path) cannot connect")
  }

  func close() async {
    isClosed = true
    await daemon?.close()
    await kernel?.close()
    await controller?.close()
  }
}
