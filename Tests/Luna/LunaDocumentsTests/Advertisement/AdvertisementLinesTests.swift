import Bluetooth
import Foundation
import LunaTesting
import Testing

@testable import LunaDocuments

@Suite struct AdvertisementLinesTests {
  /// What is written for `reports`, a line each.
  private func lines(
    _ reports: [AdvertisingReport], selection: ReportSelection = ReportSelection(),
    fields names: [String]? = nil
  ) throws -> [String] {
    let fields = try names?.map { try FieldCatalog.advertisement.field($0) }
    let buffer = OutputBuffer()
    let lines = AdvertisementLines(buffer, selection: selection, fields: fields)
    for report in reports { _ = lines.append(report) }
    return buffer.lines
  }

  @Test func printsTheFieldsOfTheContract() throws {
    let line = try #require(try lines([Samples.luna]).first)
    #expect(
      line == """
        {"type":"advertisement","time":"2026-01-02T03:04:05.678901Z","adapter":"hci0",\
        "address":"C0:FF:EE:00:00:01","addressType":"random","addressKind":"static",\
        "pdu":"ADV_IND","connectable":true,"scannable":true,"scanResponse":false,"legacy":true,\
        "primaryPhy":"1M","rssi":-67,\
        "data":"0201060303041817ffffff11fcb6e7b607bdc2304ae5c8013424402ba77593","flags":6,\
        "services":["1804"],\
        "manufacturerData":{"ffff":"11fcb6e7b607bdc2304ae5c8013424402ba77593"},\
        "malformed":false,"beacons":[{"beacon":"luna","version":1,"manufacturerId":65535,\
        "keyRollingCounter":252,"eid":"b6e7b607bdc2304a","aotp":"e5c8013424402b",\
        "heid":"a09867114718541141ed60664ce88cbb","esf":"a77593","connectable":true,\
        "onboardable":false,"separated":false}]}
        """)
  }

  @Test func leavesOutWhatIsNotKnown() throws {
    let report = AdvertisingReport(
      time: .unknown, adapter: nil, address: BluetoothAddress(value: 0), addressType: .anonymous,
      payload: AdvertisingPayload(), rssi: nil)
    #expect(
      try lines([report]) == [
        #"{"type":"advertisement","addressType":"anonymous","data":"","malformed":false}"#
      ])
  }

  @Test func printsExtendedFields() throws {
    var report = Samples.luna
    report.setExtendedEventType(0x44)
    report.primaryPHY = .leCoded
    report.secondaryPHY = .le2M
    report.sid = 3
    report.periodicInterval = 7
    report.directAddress = BluetoothAddress(value: 0x1122_3344_5566)
    report.directAddressType = .random
    report.payload = AdvertisingPayload([UInt8](repeating: 0, count: 300))
    let line = try #require(try lines([report]).first)
    for part in [
      #""pdu":"ADV_EXT_IND","connectable":false,"scannable":false,"scanResponse":false,"legacy":false"#,
      #""primaryPhy":"Coded","secondaryPhy":"2M","sid":3,"periodicInterval":8.75,"dataStatus":"truncated""#,
      #""directAddress":"11:22:33:44:55:66","directAddressType":"random","rssi":-67"#,
    ] { #expect(line.contains(part)) }
  }

  /// The code for a scheme is no part of a URI, the one that stands for none neither.
  @Test(
    arguments: [
      (0x01, "urn:x", "urn:x"), (0x16, "//a.b", "http://a.b"), (0x17, "//a.b", "https://a.b"),
    ] as [(UInt8, String, String)])
  func spellsOutTheSchemeOfAURI(_ code: UInt8, _ rest: String, _ uri: String) throws {
    var report = Samples.luna
    report.payload = AdvertisingPayload([UInt8(rest.utf8.count + 2), 0x24, code] + rest.utf8)
    let line = try #require(try lines([report]).first)
    #expect(line.contains("\"uri\":\"\(uri)\""))
  }

  /// A Flower Power sends a byte of manufacturer data: no company fits into that.
  @Test(arguments: ["02ff03", "01ff", "0216aa", "0420aafe00", "0121"])
  func leavesOutDataTooShortToSayWhoseTheyAre(_ data: String) throws {
    var report = Samples.luna
    report.payload = AdvertisingPayload(try #require(Hex.bytes(data)))
    let line = try #require(try lines([report]).first)
    #expect(line.hasSuffix("\"data\":\"\(data)\",\"malformed\":false}"))
    #expect(
      try lines([report], fields: ["serviceData", "manufacturerData"]) == [
        #"{"type":"advertisement"}"#
      ])
  }

  /// Names from the air are hostile.
  @Test func staysJSONWhateverTheData() throws {
    var generator = Seeded.drawn()
    let reports = (0..<2_000).map { _ in
      var report = Samples.luna
      var data: [UInt8] = []
      while data.count < 25 {
        let count = UInt8.random(in: 1...6, using: &generator)
        let types: [UInt8] = [0x08, 0x09, 0xFF, 0x16, 0x21, 0x03, 0x07, 0x24, 0x14, 0x0A, 0x19]
        data += [count, types.randomElement(using: &generator) ?? 9]
        data += (1..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      }
      report.payload = AdvertisingPayload(data)
      return report
    }
    let lines = try lines(reports)
    #expect(lines.count == reports.count)
    for (line, report) in zip(lines, reports) {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["data"] as? String == Hex.lower(report.payload.bytes))
    }
  }

  /// A line that is repeated from the cache is the line that was printed first, but for time and
  /// RSSI; enough different ones to fill the cache several times.
  @Test func repeatsWhatItPrinted() throws {
    var reports: [AdvertisingReport] = []
    for number in 0..<30_000 {
      var report = Samples.luna
      report.address = BluetoothAddress(value: UInt64(number % 20_000))
      report.rssi = nil
      report.payload = AdvertisingPayload([2, 1, UInt8(number % 3)])
      reports.append(report)
    }
    let lines = try lines(reports)
    var fresh: [String] = []
    for report in reports.suffix(1_000) { fresh += try self.lines([report]) }
    #expect(Array(lines.suffix(1_000)) == fresh)
  }

  @Test func everyFieldOfAReportCounts() throws {
    var variants = [Samples.luna]
    func vary(_ change: (inout AdvertisingReport) -> Void) {
      var report = Samples.luna
      change(&report)
      variants.append(report)
    }
    vary { $0.adapter = nil }
    vary { $0.adapter = 1 }
    vary { $0.address = BluetoothAddress(value: 1) }
    vary { $0.addressType = .public }
    vary { $0.setLegacyPDU(.scanRsp) }
    vary { $0.setLegacyPDU(.advDirectInd) }
    vary { $0.directAddress = BluetoothAddress(value: 0) }
    vary { $0.isConnectable = nil }
    vary { $0.setExtendedEventType(1) }
    vary {
      $0.setExtendedEventType(1)
      $0.sid = 0
    }
    vary {
      $0.setExtendedEventType(1)
      $0.periodicInterval = 1
    }
    vary {
      $0.setExtendedEventType(1)
      $0.dataStatus = .truncated
    }
    vary {
      $0.setExtendedEventType(1)
      $0.secondaryPHY = .leCoded
    }
    vary { $0.primaryPHY = .leCoded }
    vary { $0.txPower = 0 }
    vary { $0.txPower = -1 }
    vary { $0.payload = AdvertisingPayload() }
    let lines = try lines(variants + variants)
    #expect(Set(lines).count == variants.count)
    #expect(Array(lines.prefix(variants.count)) == Array(lines.suffix(variants.count)))
  }

  @Test func selects() throws {
    var weak = Samples.luna
    weak.rssi = -90
    var unknown = Samples.luna
    unknown.rssi = nil
    var plain = Samples.luna
    plain.payload = AdvertisingPayload([2, 1, 6])
    let all = [Samples.luna, weak, unknown, plain, Samples.luna]
    #expect(try lines(all, selection: ReportSelection(minimumRSSI: -70)).count == 3)
    #expect(try lines(all, selection: ReportSelection(trackersOnly: true)).count == 4)
    let filter = try FilterParser.parse("rssi < -80")
    #expect(try lines(all, selection: ReportSelection(filter: filter)).count == 1)
  }

  @Test func printsChosenFieldsOnly() throws {
    #expect(
      try lines([Samples.luna], fields: ["address", "rssi", "eid"]) == [
        #"{"type":"advertisement","address":"C0:FF:EE:00:00:01","rssi":-67,"beacons":[{"beacon":"luna","eid":"b6e7b607bdc2304a"}]}"#
      ])
    #expect(
      try lines([Samples.luna], fields: ["time", "services"]) == [
        #"{"type":"advertisement","time":"2026-01-02T03:04:05.678901Z","services":["1804"]}"#
      ])
    var tile = Samples.luna
    tile.payload = AdvertisingPayload([3, 3, 0xED, 0xFE])
    #expect(
      try lines([tile], fields: ["company", "rssi"]) == [
        #"{"type":"advertisement","rssi":-67,"company":"Tile, Inc."}"#
      ], "by its network, where no manufacturer data names it")
  }

  @Test func escapesWhatATerminalWouldObey() throws {
    var report = Samples.luna
    let name = Array("\u{1B}[2J\u{9B}\u{202E}".utf8)
    report.payload = AdvertisingPayload([UInt8(name.count + 1), 0x09] + name)
    #expect(
      try lines([report], fields: ["name"]) == [
        #"{"type":"advertisement","name":"\u001b[2J\u009b\u202e"}"#
      ])
  }
}
