import Bluetooth

@testable import LunaTables

extension AdvertiserRows {
  /// One report from each of as many addresses, C0:FF:EE:00:00:01 and so on, as there are data: what they advertise, in
  /// hexadecimal digits.
  convenience init(of data: [String]) {
    self.init(source: "a test", adapterName: nil, isFile: true)
    observe(
      data.enumerated().map { index, text in
        AdvertisingReport(
          time: Timestamp(microseconds: 1_795_255_200_000_000), adapter: 0,
          address: BluetoothAddress(value: 0xC0FF_EE00_0001 + UInt64(index)), addressType: .random,
          payload: AdvertisingPayload(Hex.bytes(text) ?? []), rssi: -67)
      })
  }
}
