import Bluetooth
import HCIHost
import LunaTesting
import Testing

@testable import BlueZ

/// The shell that advertises with a controller of one's own; what it does is tested with
/// `PeripheralHost`.
@Suite(.timeLimit(.minutes(10))) struct ControllerAdvertiserTests {
  private let enable = HCIOpcode.leSetAdvertisingEnable
  private let advertisement = Advertisement(
    address: BluetoothAddress(value: 0xC000_0000_0001), pdu: .advInd, data: [2, 1, 6],
    scanResponse: [], interval: 1000)

  private func withAdvertiser(
    _ body: (any AdvertisingRadio, FakeController) async throws -> Void
  ) async throws {
    let controller = FakeController()
    defer { controller.stop() }
    let radio = try makeAdvertiser(.h4(.path(controller.path)))
    do {
      try await body(radio, controller)
    } catch {
      await radio.close()
      throw error
    }
    await radio.close()
  }

  @Test func advertisesAndFallsSilent() async throws {
    try await withAdvertiser { radio, controller in
      let summary = try await radio.open(count: 1, serving: []) { _, _ in }
      #expect(summary.name == "h4:\(controller.path)")
      #expect(summary.explanation.contains("legacy"))
      try await radio.advertise(advertisement, as: 0)
      #expect(controller.opcodes.suffix(5) == [0x2005, 0x2006, 0x2008, 0x2009, 0x200A])
      let count = controller.opcodes.count
      try await radio.silence(0)
      #expect(controller.opcodes.dropFirst(count) == [enable])
    }
  }

  @Test func goesOnAfterAFaultOfTheController() async throws {
    try await withAdvertiser { radio, controller in
      _ = try await radio.open(count: 1, serving: []) { _, _ in }
      controller.set { $0.breaksAt = HCIOpcode.leSetAdvertisingEnable }
      try await radio.advertise(advertisement, as: 0)
      try await controller.commands.until { opcodes in
        opcodes.count { $0 == HCIOpcode.leSetAdvertisingEnable } == 2
      }
      #expect(controller.opcodes.count { $0 == HCIOpcode.reset } == 2)
      try await radio.silence(0)
    }
  }

  @Test func tellsThatTheControllerIsGone() async throws {
    try await withAdvertiser { radio, controller in
      _ = try await radio.open(count: 1, serving: []) { _, _ in }
      controller.set { $0.closesAt = HCIOpcode.leSetAdvertisingEnable }
      for _ in 0..<2 {
        do throws(SourceError) {
          try await radio.advertise(advertisement, as: 0)
          Issue.record("it is on air")
        } catch {
          #expect(error.kind == .lost)
        }
      }
    }
  }

  @Test func tellsThatTheControllerSendsTooFew() async throws {
    try await withAdvertiser { radio, _ in
      do throws(SourceError) {
        _ = try await radio.open(count: 2, serving: []) { _, _ in }
        Issue.record("it is open")
      } catch {
        #expect(error.kind == .invalid)
      }
    }
  }
}
