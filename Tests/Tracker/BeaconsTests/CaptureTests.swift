import Beacons
import Bluetooth
import Foundation
import Testing

/// Packets of other projects' tests; Tests/captures/SOURCES.md says whose.
@Suite("Packets of other projects")
struct CaptureTests {
  @Test("The events of ble_monitor")
  func bleMonitor() throws {
    var counts: [BeaconFamily: Int] = [:]
    var reports = 0
    for row in try rows("ble_monitor_hci-events.tsv") {
      let advertisements = events(row.bytes)
      reports += advertisements.count
      for report in advertisements {
        for beacon in BeaconDecoder().beacons(in: report) {
          counts[beacon.family, default: 0] += 1
        }
      }
    }
    #expect(reports == 288)
    #expect(counts == [.iBeacon: 17, .altBeacon: 2, .eddystoneURL: 2])
  }

  @Test(
    "The packets of beacontools",
    arguments: [
      ("test_bad_packets#1", []), ("test_bad_packets#2", []),
      (
        "test_eddystone_uid#1",
        ["eddystone-uid namespace=12345678901234678901 instance=000000000001 power=-29"]
      ),
      ("test_eddystone_url#1", ["eddystone-url url=https://github.com/citruz power=-8"]),
      (
        "test_eddystone_tlm#1",
        [
          "eddystone-tlm batteryMillivolts=2840 temperature=19.0 advertisements=5223 uptime=1094.8"
        ]
      ),
      (
        "test_eddystone_tlm2#1",
        [
          "eddystone-tlm batteryMillivolts=2840 temperature=71.06640625 advertisements=5223 uptime=1094.8"
        ]
      ),
      // The AD structure of this row is too short for an encrypted frame.
      ("test_eddystone_tlm_enc#1", []),
      ("test_eddystone_eid#1", ["eddystone-eid eid=4549445f74657374 power=-29"]),
      (
        "test_ibeacon#1",
        ["ibeacon uuid=41424344-4546-4748-4940-414243444546 major=1 minor=2 power=-8"]
      ),
      (
        "test_cypress_beacon#1",
        ["ibeacon uuid=00050001-0000-1000-8000-00805F9B0131 major=2 minor=27750 power=-61"]
      ),
      (
        "test_exposure_notification#1",
        [
          "exposure-notification rollingProximityIdentifier=0d3b4f65584c582160571dd19010d41c"
            + " metadata=2660ee34"
        ]
      ),
    ] as [(String, [String])])
  func beacontools(name: String, beacons: [String]) throws {
    let row = try #require(
      try rows("beacontools_packets.tsv").first { $0.name == "test_parser.py:" + name })
    var found: [Beacon] = []
    BeaconDecoder().decode(row.bytes.span, into: &found)
    #expect(
      found.map { ([$0.family.rawValue] + $0.fields).joined(separator: " ") } == beacons)
  }

  @Test("The HCI packets of beacontools")
  func beacontoolsEvents() throws {
    var families: [String] = []
    for row in try rows("beacontools_packets.tsv") where row.name.hasPrefix("test_scanner.py") {
      for report in events(row.bytes) {
        families += BeaconDecoder().beacons(in: report).map(\.family.rawValue)
      }
    }
    #expect(families.count { $0 == "eddystone-tlm" } == 1)
    // The event with the iBeacon states fewer bytes of data than it takes.
    #expect(families.count { $0 == "ibeacon" } == 0)
    #expect(families.count { $0 == "exposure-notification" } == 4)
  }

  @Test("The advertising data of bluetooth-data-tools hold no beacon")
  func bluetoothDataTools() throws {
    let rows = try rows("bluetooth-data-tools_adv.tsv")
    #expect(rows.count >= 34)
    for row in rows {
      var beacons: [Beacon] = []
      BeaconDecoder().decode(row.bytes.span, into: &beacons)
      #expect(beacons == [], "\(row.name)")
    }
  }

  /// The reports in an HCI event behind its H4 byte.
  private func events(_ packet: [UInt8]) -> [AdvertisingReport] {
    var reports: [AdvertisingReport] = []
    var counters = SourceCounters()
    AdvertisingEventParser.parse(
      event: packet.span.extracting(1..<packet.count), time: Timestamp(microseconds: 0),
      adapter: nil, into: &reports, counters: &counters)
    return reports
  }

  private func rows(_ file: String) throws -> [(name: String, bytes: [UInt8])] {
    let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../../captures/\(file)")
    let text = try String(contentsOf: url, encoding: .utf8)
    return try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let columns = line.split(separator: "\t")
      return (String(columns[0]), try #require(Hex.bytes(columns[1])))
    }
  }
}
