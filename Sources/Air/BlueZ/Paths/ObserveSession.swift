import Bluetooth
import EventLoop
import Glibc
import HCIHost
import SystemBus

/// Reads every advertising report of an adapter from the kernel's monitor channel, while somebody
/// scans: bluetoothd or the kernel, asked by us.
actor ObserveSession: ReactorActor, ScanSession {
  nonisolated let reactor: Reactor

  private let outlet: ScanOutlet
  private let host: any BluetoothHost
  private let target: AdapterTarget
  private let options: ScanOptions
  private let request: ScanRequest

  private let reader = PacketReader(slot: 512, count: 64)
  private var monitor: Int32 = -1
  private var watch: ReactorWatch?
  private var index: UInt16?
  private var reports: [AdvertisingReport] = []
  private var assembler = FragmentAssembler()
  private var drops: UInt64 = 0
  private var dropsRead = ContinuousClock.now

  init(
    reactor: Reactor, outlet: ScanOutlet, host: any BluetoothHost, target: AdapterTarget,
    options: ScanOptions
  ) {
    self.reactor = reactor
    self.outlet = outlet
    self.host = host
    self.target = target
    self.options = options
    request = ScanRequest(
      reactor: reactor, host: host, target: target, options: options, usesDaemon: true,
      onFault: outlet.fault)
  }

  func open() async throws(SourceError) -> ScanSummary {
    do throws(SystemCallError) {
      monitor = try await host.openMonitor()
    } catch {
      throw AdapterProblem.socket(error, for: "read the kernel's monitor channel", on: host)
    }
    let (index, clause) = try await request.open()
    self.index = index
    watch = onReady(monitor, for: .readable) { session, _ in session.receive() }
    return ScanSummary(
      name: "hci\(index)", clause: "reading the kernel's monitor channel while \(clause)")
  }

  private func receive() {
    var counters = SourceCounters()
    let outcome = reader.receive(from: monitor) { bytes, time in
      // opcode 2, adapter 2, length 2; the filter lets only events through
      guard bytes.count > 6, MgmtPacket.number(bytes, 2) == index else { return }
      counters.packets &+= 1
      AdvertisingEventParser.parse(
        event: bytes.extracting(droppingFirst: 6), time: Timestamp(microseconds: time),
        adapter: index, into: &reports, counters: &counters)
    }
    assembler.assemble(&reports, counters: &counters)
    if case .packets(let count) = outcome { readDrops(count == reader.batch, &counters) }
    outlet.push(&reports) { $0.add(counters) }
    if case .ended(let error) = outcome, let watch {
      watch.cancel()
      self.watch = nil
      let reason = error.map { " (\($0))" } ?? ""
      outlet.fault(SourceError(.lost, "the kernel's monitor channel has ended\(reason)"))
    }
  }

  /// The kernel counts what it drops; it is asked when there is a jam, else once a second.
  private func readDrops(_ isFull: Bool, _ counters: inout SourceCounters) {
    let now = ContinuousClock.now
    guard isFull || now - dropsRead >= .seconds(1) else { return }
    dropsRead = now
    let total = host.drops(on: monitor)
    counters.kernelDrops &+= total &- drops
    drops = total
  }

  func pause() async { await request.pause() }

  func resume() async throws(SourceError) { try await request.resume() }

  func close() async {
    await request.close()
    watch?.cancel()
    watch = nil
    guard monitor >= 0 else { return }
    // What came until the end, and what was lost.
    receive()
    var counters = SourceCounters()
    readDrops(true, &counters)
    assembler.finish(counters: &counters)
    outlet.queue.count { $0.add(counters) }
    Glibc.close(monitor)
    monitor = -1
  }
}
