import Bluetooth
import EventLoop
import LunaTesting
import Synchronization
import Testing

@testable import BlueZ

/// A scan that pauses: off on the adapter, everything else as it was.
@Suite(.timeLimit(.minutes(10)))
struct PauseTests {
  private func kernel() -> FakeKernel { FakeKernel([0: FakeAdapter()]) }

  private func source(
    _ path: RadioPath, _ mode: ScanMode, on kernel: FakeKernel
  ) throws -> RadioSource {
    try makeSource(path, options: ScanOptions(mode: mode), host: kernel)
  }

  private func commands(_ kernel: FakeKernel) -> [UInt16] {
    kernel.state.withLock { state in
      defer { state.commands = [] }
      return state.commands.map(\.opcode)
    }
  }

  @Test(arguments: [RadioPath.observe, .mgmt])
  func aPassiveScanGivesItsMonitorBackAndNothingElse(path: RadioPath) async throws {
    let kernel = kernel()
    let source = try source(path, .passive, on: kernel)
    try await source.start()
    #expect(kernel.state.withLock { $0.adapters[0]?.monitors.count } == 1)
    for _ in 0..<3 {
      _ = commands(kernel)
      await source.pause()
      #expect(commands(kernel) == [MgmtOpcode.removeMonitor])
      #expect(await source.reaches { $0 == .paused })
      // Power and window of the scan are as they were.
      let adapter = try #require(kernel.state.withLock { $0.adapters[0] })
      #expect(adapter.isPowered && adapter.monitorWindow == adapter.monitorInterval)
      await source.resume()
      #expect(commands(kernel) == [MgmtOpcode.addPatternsMonitor])
      #expect(await source.reaches(\.isScanning))
    }
    await source.stop()
    #expect(kernel.state.withLock { $0.adapters[0]?.monitors } == [])
    #expect(kernel.state.withLock { $0.adapters[0]?.monitorWindow } == 0x0030)
  }

  @Test func anActiveScanEndsItsDiscoveryToo() async throws {
    let kernel = kernel()
    let source = try source(.mgmt, .active, on: kernel)
    try await source.start()
    #expect(kernel.state.withLock { $0.adapters[0]?.isDiscovering } == true)
    _ = commands(kernel)
    await source.pause()
    #expect(commands(kernel) == [MgmtOpcode.stopDiscovery, MgmtOpcode.removeMonitor])
    #expect(kernel.state.withLock { $0.adapters[0]?.isDiscovering } == false)
    await source.resume()
    #expect(commands(kernel) == [MgmtOpcode.addPatternsMonitor, MgmtOpcode.startDiscovery])
    await source.pause()
    await source.stop()
  }

  @Test func aScanThatCannotGoOnIsStartedAnew() async throws {
    let kernel = kernel()
    let source = try source(.mgmt, .passive, on: kernel)
    try await source.start()
    await source.pause()
    kernel.state.withLock { $0.refusals[MgmtOpcode.addPatternsMonitor] = .busy }
    await source.resume()
    #expect(await source.reaches(\.isRecovering))
    kernel.state.withLock { $0.refusals = [:] }
    #expect(await source.reaches(\.isScanning))
    #expect(kernel.state.withLock { $0.adapters[0]?.monitors.count } == 1)
    await source.stop()
  }

  @Test func aPauseBeforeTheBeginningHoldsFromTheBeginning() async throws {
    let kernel = kernel()
    let source = try source(.mgmt, .passive, on: kernel)
    await source.pause()
    try await source.start()
    #expect(await source.reaches { $0 == .paused })
    await source.resume()
    #expect(await source.reaches(\.isScanning))
    await source.stop()
  }

  @Test func aControllerIsNeitherResetNorSetUpAnew() async throws {
    try await withFakeRadio { radio async throws in
      try await radio.hears()
      let before = radio.controller.opcodes.count
      for _ in 0..<3 {
        await radio.radio.source.pause()
        #expect(await radio.radio.source.reaches { $0 == .paused })
        await radio.radio.source.resume()
        try await radio.hears()
      }
      let sent = radio.controller.opcodes.dropFirst(before)
      #expect(sent == Array(repeating: HCIOpcode.leSetScanEnable, count: 6)[...])
      #expect(radio.states.allSatisfy { !$0.isRecovering })
    }
  }

  @Test func aRhythmSwitchesTheScanOffAndOnAndTellsNothing() async throws {
    try await withFakeRadio { radio async throws in
      try await radio.hears()
      let rhythm = ScanRhythm(listening: .milliseconds(5), of: .milliseconds(10))
      await radio.radio.source.listen(rhythm)
      let before = radio.controller.opcodes.count
      try await radio.controller.commands.until { $0.count >= before + 7 }
      let sent = Set(radio.controller.opcodes.dropFirst(before))
      #expect(sent == [HCIOpcode.leSetScanEnable])
      #expect(!radio.states.contains(.paused))
      await radio.radio.source.resume()
      try await radio.hears()
      await radio.radio.source.listen(rhythm)
      await radio.radio.source.pause()
      #expect(await radio.radio.source.reaches { $0 == .paused })
    }
  }

  @Test func aControllerThatPausesConnectsAndPausesOn() async throws {
    try await withFakeRadio { radio async throws in
      try await radio.hears()
      await radio.radio.source.pause()
      let connection = try await radio.connect()
      await connection.disconnect()
      #expect(await radio.radio.source.reaches { $0 == .paused })
      let last = radio.controller.opcodes.count { $0 == HCIOpcode.leSetScanEnable }
      await radio.radio.source.resume()
      try await radio.hears()
      #expect(radio.controller.opcodes.count { $0 == HCIOpcode.leSetScanEnable } == last + 1)
    }
  }
}
