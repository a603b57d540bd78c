import Beacons
import Bluetooth
import Testing

@Suite("TrackerSigns")
struct TrackerSignsTests {
  private func isTracker(_ hex: String) throws -> Bool {
    let bytes = try #require(Hex.bytes(hex.filter { !$0.isWhitespace }))
    let decoder = BeaconDecoder()
    let report = AdvertisingReport(
      time: .unknown, adapter: nil, address: BluetoothAddress(value: 0xC0FF_EE00_0001),
      addressType: .random, payload: AdvertisingPayload(bytes), rssi: nil)
    return TrackerSigns.areIn(decoder.beacons(in: report)) || TrackerSigns(decoder).areIn(report)
  }

  @Test(
    "In whatever form",
    arguments: [
      // Tile: listed, in an incomplete list, second of two, asked for, as 32 and as 128 bits, with data
      "0303edfe", "0302ecfe", "05030f18edfe", "0314edfe", "0505edfe0000",
      "1107fb349b5f80000080 00100000 edfe0000", "0516edfe0200", "0720edfe00000200",
      // data that no decoder knows: SmartTag too short, without an owner, the draft, Find My of tomorrow
      "0416 5afd00", "0416 59fd00", "0416 b2fcff", "07ff4c0012031000 01", "09ff4c001002aabb1200",
      "0303 44fd", "0416 6ffd00",
      // Chipolo, Pebblebee, Find Hub, rotating identifiers of Eddystone, and frames of tomorrow
      "0303 33fe", "0303 65fe", "0303 25fa", "0416 aafe40", "0416 aafe30", "0416 aafe50",
      // a damaged frame of ours
      "03030418 05ffffff0000",
    ])
  func finds(hex: String) throws {
    #expect(try isTracker(hex))
  }

  @Test(
    "What stays where it is",
    arguments: [
      "", "020106", "0303 0f18", "1aff4c000215e2c56db5dffb48d2b060d0f5a71096e000010102c5",
      "0416 aafe20", "05ff4c001000", "0303 0418", "05ffffff0000", "0505 edfe0100",
      "1107 000000000000000000000000 edfe0000", "03ffed fe",
    ])
  func leavesAlone(hex: String) throws {
    #expect(try !isTracker(hex))
  }
}
