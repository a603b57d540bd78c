import Bluetooth
import SafeText
import Testing

@testable import LunaDocuments

@Suite struct LiveAdvertisersTests {
  static func report(_ data: String, at seconds: Int64 = 0, address: UInt64 = 1)
    -> AdvertisingReport
  {
    var report = Samples.luna
    report.address = BluetoothAddress(value: 0xC0FF_EE00_0000 + address)
    report.time = Timestamp(microseconds: Samples.luna.time.microseconds + seconds * 1_000_000)
    report.payload = AdvertisingPayload(Hex.bytes(data) ?? [])
    return report
  }

  static let uid = "1516aafe00c5" + "00112233445566778899" + "010203040506"
  static let tlm = "1116aafe2000" + "0bb8" + "1500" + "00000001" + "00000002"
  static let iBeacon = "1aff4c00021545035880a27f5eb2965fde0bb7f471a6a0986711c5"

  /// What `look` makes of each advertiser.
  static func seen<Part>(
    _ advertisers: LiveAdvertisers, filter: FilterExpression? = nil, isPaused: Bool = false,
    _ look: (borrowing LiveAdvertiser, Bool, Timestamp) -> Part
  ) -> [Part] {
    var parts: [Part] = []
    advertisers.forEach(filter: filter, isPaused: isPaused) { parts.append(look($0, $1, $2)) }
    return parts
  }

  static func kinds(_ advertisers: LiveAdvertisers) -> [String] {
    seen(advertisers) { advertiser, _, _ in advertiser.kind }
  }

  /// An advertiser that sends several formats by turns is called the same all the time.
  @Test func labelsDoNotFlip() {
    let advertisers = LiveAdvertisers(adapterName: nil, isFile: true)
    advertisers.observe([Self.report(Self.iBeacon)])
    let first = Self.kinds(advertisers)
    for round in 1...10 {
      for data in [Self.uid, Self.tlm, Self.iBeacon, "02010605094c756e61", "06ff59000102aa"] {
        advertisers.observe([Self.report(data, at: Int64(round))])
        #expect(Self.kinds(advertisers) == first)
      }
    }
  }

  /// The complete name stays beside the shortened one of other frames.
  @Test func namesDoNotFlip() {
    let advertisers = LiveAdvertisers(adapterName: nil, isFile: true)
    for data in ["03084c75", "05094c756e61", "03084c75", "020106" + "03084c75"] {
      advertisers.observe([Self.report(data)])
    }
    #expect(Self.seen(advertisers) { advertiser, _, _ in advertiser.summary.name?.raw } == ["Luna"])
  }

  /// A filter looks at all that an advertiser sends by turns.
  @Test func filtersSeeAllFrames() throws {
    let advertisers = LiveAdvertisers(adapterName: nil, isFile: true)
    advertisers.observe([
      Self.report(Self.uid), Self.report("05094c756e61"), Self.report(Self.tlm),
      Self.report(Self.iBeacon, address: 2),
    ])
    func passing(_ filter: String, isPaused: Bool = false) throws -> [Bool] {
      let filter = try FilterParser.parse(filter)
      return Self.seen(advertisers, filter: filter, isPaused: isPaused) { _, passes, _ in passes }
    }
    #expect(try passing("name == \"Luna\" && beacon == \"eddystone-uid\"") == [true, false])
    #expect(try passing("has(temperature)") == [true, false])
    #expect(try passing("beacon == \"ibeacon\"") == [false, true])
    #expect(try passing("rssi > -60") == [false, false])
    // In a pause what comes later does not count, to nobody's loss.
    var louder = Self.report(Self.uid)
    louder.rssi = -40
    #expect(try passing("rssi > -60", isPaused: true) == [false, false])
    advertisers.observe([louder])
    #expect(try passing("rssi > -50", isPaused: true) == [false, false])
    #expect(try passing("rssi > -50") == [false, true])
  }

  /// Ages are those of the recording, be its times years ago.
  @Test(arguments: [true, false])
  func agesAreRecorded(isFile: Bool) {
    let advertisers = LiveAdvertisers(adapterName: nil, isFile: isFile)
    advertisers.observe([Self.report("", at: 0), Self.report("", at: 30, address: 2)])
    advertisers.end()
    let ages = Self.seen(advertisers) { advertiser, _, now in
      advertiser.summary.lastTime.seconds(to: now).rounded(.down)
    }
    #expect(ages == [30, 0])
  }

  /// Details begin with what it is and how it is, and end with its bytes.
  @Test func detailsBeginWithWhatMatters() throws {
    let advertisers = LiveAdvertisers(adapterName: nil, isFile: true)
    advertisers.observe([
      Self.report("0201060303041817ffffff11fcb6e7b607bdc2304ae5c8013424402ba77593"),
      Self.report("05094c756e61"),
    ])
    let details = try #require(
      Self.seen(advertisers) { advertiser, _, _ in advertiser.details(nil) }.first)
    let labels = details.map(\.label)
    #expect(labels.starts(with: ["what", "name", "separated", "onboardable", "rssi", "ring"]))
    #expect(details[0].value == "LunaTracker" && details[1].value == "Luna")
    let data = try #require(labels.firstIndex(of: "data"))
    #expect(labels[data...].allSatisfy { ["data", "manufacturerData"].contains($0) })
    #expect(Set(labels).isSuperset(of: ["address", "pdu", "beacon", "eid", "flags"]))
  }
}
