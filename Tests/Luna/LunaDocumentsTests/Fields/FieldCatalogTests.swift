import Beacons
import Bluetooth
import SafeText
import Testing

@testable import LunaDocuments

@Suite struct FieldCatalogTests {
  /// Takes down which fields a document has.
  private struct Names: FieldWriter {
    var names: Set<String> = []
    private var isInItem = false

    private mutating func put(_ name: StaticString) {
      if !isInItem { names.insert(name.description) }
    }

    mutating func string(_ name: StaticString, _ value: String) { put(name) }
    mutating func string(_ name: StaticString, _ value: StaticString) { put(name) }
    mutating func text(_ name: StaticString, _ value: ForeignText) { put(name) }
    mutating func integer(_ name: StaticString, _ value: Int64) { put(name) }
    mutating func decimal(_ name: StaticString, _ value: Int64, digits: Int) { put(name) }
    mutating func boolean(_ name: StaticString, _ value: Bool) { put(name) }
    mutating func hex(_ name: StaticString, _ bytes: Span<UInt8>) { put(name) }
    mutating func address(_ name: StaticString, _ address: BluetoothAddress) { put(name) }
    mutating func uuid(_ name: StaticString, _ uuid: BluetoothUUID) { put(name) }
    mutating func beginList(_ name: StaticString) { put(name) }
    mutating func element(_ uuid: BluetoothUUID) {}
    mutating func element(_ text: String) {}
    mutating func endList() {}
    mutating func beginMap(_ name: StaticString) { put(name) }
    mutating func entry(_ key: BluetoothUUID, _ bytes: Span<UInt8>) {}
    mutating func entry(company key: UInt16, _ bytes: Span<UInt8>) {}
    mutating func endMap() {}
    mutating func beginItems(_ name: StaticString) { put(name) }
    mutating func beginItem() { isInItem = true }
    mutating func endItem() { isInItem = false }
    mutating func endItems() {}
  }

  /// The declared fields are those that are written, no more and no fewer.
  @Test func declaresWhatIsWritten() {
    var report = Samples.luna
    report.setExtendedEventType(0x01)
    report.sid = 1
    report.periodicInterval = 8
    report.secondaryPHY = .le2M
    report.directAddress = BluetoothAddress(value: 1)
    report.directAddressType = .random
    let structures = [
      "020106", "020941", "020af4", "03190000", "03030418", "03140418", "0416041877",
      "0224" + "17", "17ffffff11fcb6e7b607bdc2304ae5c8013424402ba77593",
    ]
    report.payload = AdvertisingPayload(Hex.bytes(structures.joined()) ?? [])
    var names = Names()
    var timeText = TimeText()
    AdvertisementDocument.writeAll(
      report, adapterName: nil, timeText: &timeText, to: &names)
    #expect(
      names.names == Set(FieldCatalog.advertisement.top.map(\.name)).subtracting(["company"]))
  }

  @Test(arguments: BeaconFamily.allCases)
  func knowsTheFieldsOfEveryFamily(family: BeaconFamily) throws {
    for field in family.fields {
      #expect(throws: Never.self) { try FieldCatalog.advertisement.field("beacons." + field.name) }
    }
  }

  /// What a family writes and no filter could ask for would never be found.
  @Test func knowsEveryWordOfStatesAndBatteries() throws {
    let states = SmartTag.State.allCases.map(\.name) + [AppleFindMy.separated, AppleFindMy.nearby]
    let batteries = SmartTag.Battery.allCases.map(\.name) + AppleFindMy.Battery.allCases.map(\.name)
    for (field, words) in [("state", states), ("battery", batteries)] {
      let vocabulary = try #require(FieldVocabulary(field))
      for word in words {
        #expect(vocabulary.value(of: word.description.uppercased()) == word.description)
      }
      // Each is suggested once, however many families have it, and none that no family has.
      #expect(vocabulary.names.sorted() == Set(words.map(\.description)).sorted())
    }
  }

  @Test(arguments: [
    ("rssi", "rssi"), ("major", "major"), ("beacons.major", "major"), ("beacons.data", "data"),
    ("serviceData.feaa", "serviceData.FEAA"), ("manufacturerData.004C", "manufacturerData.004c"),
    (
      "serviceData.38eb0000-fc56-5cb4-a0f2-dad299d5501d",
      "serviceData.38EB0000-FC56-5CB4-A0F2-DAD299D5501D"
    ),
  ])
  func finds(name: String, text: String) throws {
    #expect(try FieldCatalog.advertisement.field(name).text == text)
  }

  @Test(arguments: ["", "eventType", "RSSI", "beacons.rssi", "rssi.x", "serviceData.", "missing"])
  func refuses(name: String) {
    #expect(throws: FieldCatalog.UnknownField.self) { try FieldCatalog.advertisement.field(name) }
  }
}
