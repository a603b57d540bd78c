import BlueZ
import Bluetooth
import Synchronization

/// The radio of the scan that is on, with which the buzzer and the onboarder connect.
final class SharedRadio: GATTClient {
  private let make: @Sendable (ScanMode) throws -> Radio
  private let mode: ScanMode
  private let radio = Mutex<Radio?>(nil)

  init(_ mode: ScanMode, _ make: @escaping @Sendable (ScanMode) throws -> Radio) {
    self.mode = mode
    self.make = make
  }

  /// What hears in the next scan.
  func makeSource() throws -> any AdvertisementSource {
    let new = try make(mode)
    radio.withLock { $0 = new }
    return SharedSource(new.source) { [weak self] in await self?.leave(new) }
  }

  /// The scan is about to end: the client goes before the source that it may share a controller with.
  private func leave(_ old: Radio) async {
    radio.withLock { if $0?.source === old.source { $0 = nil } }
    await old.client.close()
  }

  func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    guard let radio = radio.withLock({ $0 }) else {
      throw GATTError(
        .adapterLost, during: "connect", "no scan is on: begin with startScanning() of Luna.local()"
      )
    }
    return try await radio.client.connect(to: peer, limits, progress: progress)
  }

  func close() async { await radio.withLock({ $0 })?.client.close() }
}
