import Bluetooth
import EventLoop

/// Takes the reports of the kernel's management: no more than that interface is needed, and no
/// bluetoothd.
actor MgmtSession: ReactorActor, ScanSession {
  nonisolated let reactor: Reactor

  private let outlet: ScanOutlet
  private let host: any BluetoothHost
  private let target: AdapterTarget
  private let options: ScanOptions
  private var request: ScanRequest?
  private var index: UInt16?
  private var reports: [AdvertisingReport] = []
  private var counted = SourceCounters()
  private var drops: UInt64 = 0

  init(
    reactor: Reactor, outlet: ScanOutlet, host: any BluetoothHost, target: AdapterTarget,
    options: ScanOptions
  ) {
    self.reactor = reactor
    self.outlet = outlet
    self.host = host
    self.target = target
    self.options = options
  }

  func open() async throws(SourceError) -> ScanSummary {
    let request = ScanRequest(
      reactor: reactor, host: host, target: target, options: options, usesDaemon: false,
      onFault: outlet.fault,
      onReport: { [weak self] code, index, parameters, time in
        self?.assumeIsolated { $0.receive(code, index, parameters, time) }
      },
      onBatch: { [weak self] in self?.assumeIsolated { $0.deliver() } })
    self.request = request
    let (index, clause) = try await request.open()
    self.index = index
    return ScanSummary(
      name: "hci\(index)",
      clause: "taking what the kernel's management reports while \(clause); it tells no PHY, no "
        + "advertising set and no type of PDU")
  }

  private func receive(_ code: UInt16, _ index: UInt16, _ parameters: Span<UInt8>, _ time: Int64) {
    guard index == self.index else { return }
    counted.packets &+= 1
    let time = Timestamp(microseconds: time)
    guard let report = MgmtReport.read(code, index, parameters, time) else { return }
    reports.append(report)
  }

  private func deliver() {
    let counted = counted
    guard counted != SourceCounters() else { return }
    outlet.push(&reports) { $0.add(counted) }
    self.counted = SourceCounters()
  }

  func pause() async { await request?.pause() }

  func resume() async throws(SourceError) { try await request?.resume() }

  func close() async {
    guard let request else { return }
    counted.kernelDrops = await request.drops
    await request.close()
    deliver()
  }
}
