import Bluetooth
import LunaProtocol

/// What of Luna is in an advertisement.
enum FrameReader {
  static func event(
    _ report: AdvertisingReport, companies: [UInt16], regions: [BluetoothUUID]
  ) -> FinderEvent? {
    // The answer to a scan request has no frame.
    guard report.isScanResponse != true, report.addressType.hasAddress else { return nil }
    return report.payload.withBytes { bytes in
      if let frame = try? LunaFrame(advertisingData: bytes, companies: companies) {
        return .frame(
          HeardFrame(
            frame, from: GATTPeer(report.address, report.addressType),
            isConnectable: report.isConnectable ?? frame.isConnectable,
            rssi: report.rssi.map { Int($0) }))
      }
      if let beacon = try? IBeaconFrame(advertisingData: bytes, regions: regions),
        let index = regions.firstIndex(of: beacon.region)
      {
        return .region(index)
      }
      return nil
    }
  }
}
