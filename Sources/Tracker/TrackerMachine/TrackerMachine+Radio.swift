package import Bluetooth

// What a tracker is told and wants, in the words of whoever sends and serves for it.

extension TrackerMachine.Event {
  /// What happened on the link; nil for a characteristic that trackers do not have, which is refused.
  package init?(_ event: PeripheralEvent) {
    switch event {
    case .connected: self = .connected
    case .mtu(let mtu): self = .mtu(mtu)
    case .disconnected: self = .disconnected
    case .read(let uuid, let offset):
      guard let characteristic = TrackerCharacteristic(uuid) else { return nil }
      self = .read(characteristic, offset: offset)
    case .write(let uuid, let value):
      guard let characteristic = TrackerCharacteristic(uuid) else { return nil }
      self = .write(characteristic, value)
    }
  }
}

extension TrackerAdvertisement {
  /// What is sent.
  package var sent: Advertisement {
    Advertisement(
      address: address, pdu: pdu, data: data, scanResponse: scanResponse, interval: interval)
  }
}

extension TrackerResponse {
  /// The same for a GATT server.
  package var served: GATTResponse {
    switch self {
    case .value(let value): .value(value)
    case .written: .written
    case .refused(let code): .refused(ATTErrorCode(rawValue: code))
    }
  }
}
