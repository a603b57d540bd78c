import Bluetooth

@testable import BlueZ

/// An HCI event with one legacy report of ADV_IND from C0:00:00:00:00:NN.
func advertisement(from number: UInt8, rssi: Int8 = -60) -> [UInt8] {
  [
    0x3E, 0x0F, 0x02, 0x01, 0x00, 0x01, number, 0x00, 0x00, 0x00, 0x00, 0xC0, 0x03, 0x02, 0x01,
    0x06,
    UInt8(bitPattern: rssi),
  ]
}

extension AdvertisementSource {
  /// The next `count` reports.
  func take(_ count: Int) async throws -> [AdvertisingReport] {
    var reports: [AdvertisingReport] = []
    while reports.count < count, let batch = try await nextBatch() { reports += batch }
    return reports
  }

  /// Waits for a state.
  func reaches(_ matches: @Sendable (SourceState) -> Bool) async -> Bool {
    for await state in states where matches(state) { return true }
    return false
  }
}

extension SourceState {
  var isScanning: Bool { self == .scanning }

  var isRecovering: Bool {
    if case .recovering = self { true } else { false }
  }
}
