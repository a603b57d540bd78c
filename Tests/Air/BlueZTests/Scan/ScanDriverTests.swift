import Bluetooth
import EventLoop
import Synchronization
import Testing

@testable import BlueZ

/// The order in which things are done to a scan and its adapter.
@Suite(.timeLimit(.minutes(10)))
struct ScanDriverTests {
  /// What was done, in its order.
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])

    func note(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  /// A session whose scan cannot be started from the second time on, but for once after so many.
  private actor Session: ScanSession {
    private let log: Log
    private let failures: Int

    init(_ log: Log, failures: Int) {
      self.log = log
      self.failures = failures
    }

    func open() async throws(SourceError) -> ScanSummary {
      log.note("open")
      let count = log.all.count { $0 == "open" }
      guard count == 1 || count > failures + 1 else { throw SourceError(.lost, "refused") }
      // Back with another number.
      return ScanSummary(name: "hci\(count - 1)", clause: "")
    }

    func pause() async {}
    func resume() async throws(SourceError) {}
    func close() async { log.note("close") }
  }

  @Test func closesConnectionsBeforeAnyStep() async throws {
    let log = Log()
    let kernel = FakeKernel([0: FakeAdapter(settings: 1 << 9 | 1)]) { state in
      state.onCommand = { command in
        if command.opcode == MgmtOpcode.setPowered { log.note("power \(command.parameters)") }
      }
    }
    let target = AdapterTarget(.index(0))
    target.found(0, FakeAdapter().address)
    let reactor = Reactor(name: "driver")
    let outlets = Mutex<[ScanOutlet]>([])
    let names = Mutex<[String]>([])
    let (told, teller) = AsyncStream<SourceState>.makeStream()
    let driver = ScanDriver(
      reactor: reactor, options: ScanOptions(), queue: ReportQueue(capacity: 10),
      adapter: ScanPlan.Adapter(
        name: "hci0",
        makeSession: { outlet in
          outlets.withLock { $0.append(outlet) }
          return Session(log, failures: 1)
        }, rungs: RecoveryLadder.adapter,
        repair: AdapterRepair(reactor: reactor, host: kernel, target: target)),
      tell: { teller.yield($0) }, named: { name in names.withLock { $0.append(name) } },
      beforeClosing: { log.note("disconnect") })
    _ = try await driver.start()
    outlets.withLock { $0.last }?.fault(SourceError(.lost, "the controller is stuck"))
    var steps: [RecoveryStep] = []
    for await state in told {
      if case .recovery(let step) = state { steps.append(step) }
      if case .scanning = state, steps.last?.kind == .power { break }
    }
    #expect(
      log.all == [
        "open", "disconnect", "close", "open", "disconnect", "close", "power [0]", "power [1]",
        "open",
      ])
    #expect(names.withLock { $0 } == ["hci0", "hci2"])
    #expect(steps.map(\.kind) == [.scan, .power])
    #expect(steps.map(\.outcome) == [.failed, .done])
    // The first report is the end of the trouble.
    var reports = [
      AdvertisingReport(
        time: .unknown, adapter: 0, address: BluetoothAddress(value: 1), addressType: .public,
        payload: AdvertisingPayload(), rssi: -60)
    ]
    outlets.withLock { $0.last }?.push(&reports)
    for await state in told {
      guard case .recovery(let step) = state else { continue }
      #expect(step.outcome == .recovered && step.kind == .power && step.duration != nil)
      break
    }
    await driver.stop()
  }

  @Test func doesNotBeginOnceItWasStopped() async throws {
    let log = Log()
    let driver = ScanDriver(
      reactor: Reactor(name: "driver"), options: ScanOptions(), queue: ReportQueue(capacity: 10),
      adapter: ScanPlan.Adapter(
        name: "hci0", makeSession: { _ in Session(log, failures: 0) },
        rungs: RecoveryLadder.adapter, repair: nil),
      tell: { _ in })
    await driver.stop()
    _ = try await driver.start()
    try await driver.end()
    #expect(log.all.isEmpty)
  }
}
