import Bluetooth

/// Reports that several tests start from.
enum Samples {
  /// The anchor frame of the protocol, received with -67 dBm on hci0.
  static let luna: AdvertisingReport = {
    var report = AdvertisingReport(
      time: Timestamp(microseconds: 1_767_323_045_678_901), adapter: 0,
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), addressType: .random,
      payload: AdvertisingPayload(
        Hex.bytes("0201060303041817ffffff11fcb6e7b607bdc2304ae5c8013424402ba77593") ?? []),
      rssi: -67)
    report.setLegacyPDU(.advInd)
    return report
  }()
}
