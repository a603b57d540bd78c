import Bluetooth
import LunaCore
import Testing

@testable import LunaHome

/// Several adapters, and what they say of who is where.
@Suite struct AdapterChoiceTests {
  private static let second: Int64 = 1_000_000

  @Test func theStrongestWinsAfterTenSeconds() {
    var choice = AdapterChoice()
    choice.hear(-70, with: "hci0", at: 0)
    #expect(choice.best == "hci0")
    for number in Int64(1)...9 {
      choice.hear(-70, with: "hci0", at: number * Self.second)
      choice.hear(-60, with: "hci1", at: number * Self.second)
      #expect(choice.best == "hci0")
    }
    for number in Int64(10)...12 { choice.hear(-60, with: "hci1", at: number * Self.second) }
    #expect(choice.best == "hci1")
  }

  @Test func lessThanSixDecibelsChangeNothing() {
    var choice = AdapterChoice()
    for number in Int64(0)...100 {
      choice.hear(-65, with: "hci0", at: number * Self.second)
      choice.hear(-60, with: "hci1", at: number * Self.second)
    }
    #expect(choice.best == "hci0")
  }

  @Test func whoHearsNothingForAMinuteGivesWay() {
    var choice = AdapterChoice()
    choice.hear(-40, with: "hci0", at: 0)
    choice.hear(-90, with: "hci1", at: 59 * Self.second)
    #expect(choice.best == "hci0")
    choice.hear(-90, with: "hci1", at: 61 * Self.second)
    #expect(choice.best == "hci1")
  }

  private static let file = """
    {"trackers": [{"id": "b", "match": "rssi > -127"}],
      "box": {"adapters": {"hci0": "hall", "hci1": "attic"}},
      "places": [{"id": "hall", "latitude": 52.5, "longitude": 13.4, "radius": 30},
        {"id": "attic", "latitude": 52.5, "longitude": 13.5, "radius": 30}],
      "devices": [{"class": "Device", "oemModel": "near", "advertisementMatch": "rssi > -50",
          "managedProperties": [{"name": "rssi"}]},
        {"class": "Device", "oemModel": "named", "ssidRegex": "^Lamp", "icon": "ic_lamp",
          "managedProperties": [{"name": "present"}]}]}
    """

  private func report(_ rssi: Int8, _ adapter: UInt16, name: String = "") -> AdvertisingReport {
    var bytes: [UInt8] = []
    if !name.isEmpty { bytes = [UInt8(name.utf8.count + 1), 0x09] + Array(name.utf8) }
    return AdvertisingReport(
      time: Timestamp(microseconds: 1), adapter: adapter,
      address: BluetoothAddress(value: 0xC0_0000_0000_01), addressType: .random,
      payload: AdvertisingPayload(bytes), rssi: rssi)
  }

  @Test func theAdapterSaysWhere() {
    var ear = HomeEar()
    ear.adopt(HomeConfiguration(HomeFile(Self.file)), [:])
    func fixes(_ adapter: UInt16, _ rssi: Int8, at second: Int64) -> [Double] {
      ear.inputs(
        [report(rssi, adapter)], [], adapter: "hci9", box: nil,
        at: Moment(wall: second * Self.second, boot: second * Self.second)
      ).compactMap { if case .fix("b", let fix) = $0 { fix.longitude } else { nil } }
    }
    #expect(fixes(0, -70, at: 1) == [13.4])
    #expect(fixes(1, -55, at: 2) == [])
    #expect((3...14).flatMap { fixes(1, -55, at: $0) } == [13.5])
  }

  @Test func advertisementsSayTheModel() {
    let configuration = HomeConfiguration(HomeFile(Self.file))
    #expect(configuration.trackers[0].modelName == "beacon")
    var search = ModelSearch(configuration)
    search.look(at: report(-70, 0, name: "Chair"), of: "b")
    search.look(at: report(-40, 0), of: "self")
    #expect(search.take().isEmpty)
    search.look(at: report(-70, 0, name: "Lamp 2"), of: "b")
    // The first answer holds.
    search.look(at: report(-40, 0), of: "b")
    let found = search.take()
    #expect(found == ["b": "named"])
    #expect(search.take().isEmpty)
    let tracker = configuration.with(found).trackers[0]
    #expect(tracker.modelName == "named")
    #expect(tracker.offered == ["present"])
    #expect(tracker.icon == "ic_lamp")
  }
}
