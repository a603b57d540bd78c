import Bluetooth
import Testing

@testable import luna

@Suite struct FilterTests {
  /// An iBeacon with a name, received with -67 dBm.
  private static let report: AdvertisingReport = {
    var report = AdvertisingReport(
      time: Timestamp(microseconds: 1_767_323_045_678_901), adapter: 0,
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), addressType: .random,
      payload: AdvertisingPayload(
        Hex.bytes("05094c756e61" + "03030418" + "0416041877" + "04ffffff2a") ?? []),
      rssi: -67)
    report.setLegacyPDU(.advInd)
    return report
  }()

  private static let iBeacon: AdvertisingReport = {
    var report = FilterTests.report
    report.payload = AdvertisingPayload(
      Hex.bytes("1aff4c00021545035880a27f5eb2965fde0bb7f471a6a0986711c5") ?? [])
    return report
  }()

  private func passes(_ filter: String, _ report: AdvertisingReport = report) throws -> Bool {
    var evaluator = FilterEvaluator(try FilterParser.parse(filter), adapterName: nil)
    return evaluator.passes(report)
  }

  @Test(arguments: [
    "name == \"Luna\"", "rssi > -70", "rssi >= -67", "rssi <= -67", "rssi < -66.5", "rssi != 0",
    "name ~ \"^Lu.a$\"", "connectable == true", "connectable != false", "services == \"1804\"",
    "serviceData.1804 == \"77\"", "manufacturerData.ffff == \"2a\"", "!(rssi > 0)",
    "rssi > 0 || name == \"Luna\"", "rssi > -70 && (name ~ \"x\" || pdu == \"ADV_IND\")",
    "!rssi > 0", "time >= \"2026-01-02T03:04:05Z\" || adapter == \"hci0\"",
    "addressKind==\"static\"",
    "name ~ \"[[:upper:]]una\"", "type == \"advertisement\"", "!missing == 1",
    "flags != 6 || rssi < 0", "rssi < 0x10",
  ])
  func holds(_ filter: String) throws {
    #expect(try passes(filter))
  }

  @Test(arguments: [
    "name == \"luna\"", "rssi > -67", "missing == 1", "missing != 1", "name == 5", "name != 5",
    "name > \"Z\"", "services == \"180F\"", "beacon == \"ibeacon\"", "name ~ \"^una\"",
    "rssi == \"-67\"", "connectable > false", "name == \"Luna\" && rssi > 0",
  ])
  func doesNotHold(_ filter: String) throws {
    #expect(try !passes(filter))
  }

  @Test(arguments: [
    "beacon == \"ibeacon\" && rssi > -70", "major == 41112", "minor == 26385", "power < -58",
    "uuid == \"45035880-A27F-5EB2-965F-DE0BB7F471A6\"", "region == 0",
  ])
  func looksIntoBeacons(_ filter: String) throws {
    #expect(try passes(filter, FilterTests.iBeacon))
  }

  @Test func bindsAndTighterThanOr() throws {
    #expect(try passes("rssi < 0 || rssi > 0 && rssi > 0"))
    #expect(try !passes("(rssi < 0 || rssi > 0) && rssi > 0"))
  }

  @Test func readsEscapedQuotesAndBackslashes() throws {
    var report = FilterTests.report
    report.payload = AdvertisingPayload([0x05, 0x09] + Array("a\"\\b".utf8))
    #expect(try passes(#"name == "a\"\\b""#, report))
    #expect(try passes(#"name ~ "a\"\\b""#, report))
    #expect(try !passes(#"name ~ "\.""#, report))
  }

  @Test(arguments: [
    ("", 0), ("rssi", 4), ("rssi >", 6), ("rssi > x", 7), ("rssi > 1 2", 9), ("(rssi > 1", 9),
    ("name == \"Luna", 13), ("&& rssi > 1", 0), ("name ~ 5", 7), ("rssi = 1", 5),
    ("name ~ \"[\"", 7), ("rssi > 1 &&", 11), ("rssi > nan", 7), ("rssi > 1e999", 7),
  ])
  func saysWhereTheMistakeIs(_ filter: String, _ position: Int) {
    #expect {
      try FilterParser.parse(filter)
    } throws: { error in
      (error as? FilterParser.SyntaxError)?.position == position
    }
  }

  @Test func refusesBottomlessNesting() {
    #expect(throws: FilterParser.SyntaxError.self) {
      try FilterParser.parse(String(repeating: "(", count: 100_000))
    }
    #expect(throws: FilterParser.SyntaxError.self) {
      try FilterParser.parse(String(repeating: "!", count: 100_000) + "rssi > 1")
    }
  }
}
