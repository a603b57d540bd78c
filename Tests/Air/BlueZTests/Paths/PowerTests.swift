import Bluetooth
import Synchronization
import Testing

@testable import BlueZ

/// Whether an adapter that a scan has powered on stays on at its end.
@Suite(.timeLimit(.minutes(10)))
struct PowerTests {
  private let kernel = FakeKernel([0: FakeAdapter()])

  private func source(_ path: RadioPath) async throws -> RadioSource {
    let source = try makeSource(path, options: ScanOptions(mode: .passive), host: kernel)
    try await source.start()
    #expect(kernel[0]?.isPowered == true)
    return source
  }

  private var powers: [[UInt8]] {
    kernel.state.withLock { state in
      state.commands.filter { $0.opcode == MgmtOpcode.setPowered }.map(\.parameters)
    }
  }

  @Test(arguments: [RadioPath.observe, .mgmt])
  func whatWasOffIsOffAgain(path: RadioPath) async throws {
    let source = try await source(path)
    await source.stop()
    #expect(powers == [[1], [0]])
  }

  /// Of several adapters none of which can be had, each has its own reason.
  @Test func eachOfSeveralSaysWhatIsWrong() async throws {
    let kernel = FakeKernel([0: FakeAdapter(isBlocked: true)])
    let source = try makeSource(
      .mgmt, options: ScanOptions(adapters: [.index(0), .index(1)], mode: .passive), host: kernel)
    let error = await #expect(throws: SourceError.self) { try await source.start() }
    #expect(error?.kind == .off)
    #expect(error?.failures.mapValues { $0.kind } == ["hci0": .off, "hci1": .noAdapter])
    #expect(source.description.name == "mgmt:hci0,hci1")
  }

  /// It decides from then on. A scan beside it hears of it; one that does without looks for it at the end.
  @Test func bluetoothdThatCameMeanwhileKeepsItOn() async throws {
    let source = try await source(.mgmt)
    let daemon = try #require(FakeDaemon())
    kernel.state.withLock { $0.busAddress = daemon.address }
    await source.stop()
    #expect(powers == [[1]])
    #expect(kernel[0]?.isPowered == true)
    daemon.stop()
  }
}
