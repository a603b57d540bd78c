import Beacons
import Bluetooth
import LunaCore
import Testing

@testable import LunaHome

/// Beacons of others in a home: what is known of them, whatever family they are of.
@Suite struct BeaconModelTests {
  @Test(arguments: BeaconFamily.allCases) func everyFamilyHasAModel(_ family: BeaconFamily) throws {
    let file = HomeFile(
      #"{"trackers": [{"id": "b", "match": "beacons == \"\#(family.rawValue)\""}]}"#)
    #expect(file.problems == [])
    let tracker = try #require(HomeConfiguration(file).trackers.first { $0.id == "b" })
    #expect(BuiltIn.models.contains(tracker.modelName))
    #expect(Set(tracker.offered).isSuperset(of: ["present", "rssi", "family", "identifier"]))
    #expect(Set(tracker.offered).isSubset(of: BuiltIn.properties))
  }

  private func values(_ payload: [UInt8], _ ear: inout HomeEar, at second: Int64) -> [String] {
    let report = AdvertisingReport(
      time: Timestamp(microseconds: second * 1_000_000), adapter: 0,
      address: BluetoothAddress(value: 0xC0_0000_0000_01), addressType: .random,
      payload: AdvertisingPayload(payload), rssi: -60)
    let now = Moment(wall: 1_795_780_800_000_000 + second * 1_000_000, boot: second * 1_000_000)
    return ear.inputs([report], [], adapter: "hci0", box: nil, at: now).compactMap { input in
      switch input {
      case .value("b", "family", .text(let text)): "family " + text
      case .value("b", "battery", .text(let text)): "battery " + text
      default: nil
      }
    }
  }

  @Test func framesSayTheFamilyAndTheBattery() {
    let file = HomeFile(#"{"trackers": [{"id": "b", "match": "rssi > -127"}]}"#)
    var ear = HomeEar()
    ear.adopt(HomeConfiguration(file), [:])
    // Find My near the owner: the battery is in the upper two bits of the status.
    func findMy(_ status: UInt8) -> [UInt8] { [7, 0xFF, 0x4C, 0, 0x12, 2, status, 3] }
    let tile: [UInt8] = [3, 3, 0xED, 0xFE]
    #expect(values([], &ear, at: 1) == [])
    #expect(values(findMy(0x74), &ear, at: 2) == ["family apple-find-my", "battery normal"])
    #expect(values(findMy(0x74), &ear, at: 3) == [])
    #expect(values(findMy(0xB4), &ear, at: 4) == ["battery low"])
    // The first answer holds, until another file does.
    #expect(values(tile, &ear, at: 5) == [])
    ear.adopt(HomeConfiguration(file), [:])
    #expect(values(tile, &ear, at: 6) == ["family tile"])
  }
}
