import Bluetooth
import EventLoop
import Testing

@testable import BlueZ

/// Scanning on LE Coded, which has to be asked of the kernel, and taken back.
@Suite(.timeLimit(.minutes(10)))
struct CodedScanTests {
  /// LE 1M to send and to receive, and LE Coded, as the kernel numbers them.
  private static let plain: UInt32 = 0x0600
  private static let coded: UInt32 = 0x6000

  private let reactor = Reactor(name: "coded-scan")

  private func session(_ phys: Set<PHY>, _ kernel: FakeKernel) -> MgmtSession {
    MgmtSession(
      reactor: reactor, outlet: ScanOutlet(queue: ReportQueue(capacity: 100)) { _ in },
      host: kernel, target: AdapterTarget(nil),
      options: ScanOptions(mode: .passive, phys: phys))
  }

  @Test func isAskedForAndTakenBack() async throws {
    let kernel = FakeKernel([0: FakeAdapter()])
    let session = session([.le1M, .leCoded], kernel)
    let summary = try await session.open()
    #expect(summary.clause.contains("on LE 1M and Coded"))
    #expect(kernel[0]?.selectedPHYs == Self.plain | Self.coded)
    await session.close()
    #expect(kernel[0]?.selectedPHYs == Self.plain)
  }

  @Test func whatIsSelectedAlreadyStays() async throws {
    let kernel = FakeKernel([0: FakeAdapter(selectedPHYs: Self.plain | Self.coded)])
    let session = session([.leCoded], kernel)
    let summary = try await session.open()
    #expect(summary.clause.contains("on LE 1M and Coded"))
    await session.close()
    #expect(!kernel.changes.contains(MgmtOpcode.setPHYConfiguration))
    #expect(kernel[0]?.selectedPHYs == Self.plain | Self.coded)
  }

  @Test func anAdapterWithoutItSaysSo() async throws {
    let kernel = FakeKernel([0: FakeAdapter(supportedPHYs: Self.plain)])
    let both = session([.le1M, .leCoded], kernel)
    let summary = try await both.open()
    #expect(summary.clause.contains("on LE 1M only"))
    await both.close()
    let alone = session([.leCoded], kernel)
    let error = await #expect(throws: SourceError.self) { try await alone.open() }
    #expect(error?.kind == .invalid)
    await alone.close()
    #expect(kernel[0]?.selectedPHYs == Self.plain)
  }
}
