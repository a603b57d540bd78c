import Bluetooth

let report = AdvertisingReport(
  time: Timestamp(microseconds: 0), adapter: nil, address: BluetoothAddress(value: 1),
  addressType: .random, payload: AdvertisingPayload([2, 1, 6]), rssi: -60)
print(report.address, report.payload.count)
