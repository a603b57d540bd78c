import Bluetooth
import Diagnosis
import LunaCore
import Testing

@testable import LunaDocuments

@Suite struct FilterTests {
  /// With a name and data of two services and a company, received with -67 dBm.
  private static let report: AdvertisingReport = {
    var report = AdvertisingReport(
      time: Timestamp(microseconds: 1_767_323_045_678_901), adapter: 0,
      address: BluetoothAddress(value: 0xC0FF_EE00_0001), addressType: .random,
      payload: AdvertisingPayload(
        Hex.bytes("05094c756e61" + "050304180f18" + "0416041877" + "04ff4c002a") ?? []),
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

  private static let airTag: AdvertisingReport = {
    var report = FilterTests.report
    report.payload = AdvertisingPayload(
      Hex.bytes("1eff4c00121910" + String(repeating: "21", count: 24)) ?? [])
    return report
  }()

  private func passes(_ filter: String, _ report: AdvertisingReport = report) throws -> Bool {
    var evaluator = FilterEvaluator(try FilterParser.parse(filter), adapterName: nil)
    return evaluator.passes(report)
  }

  @Test(arguments: [
    "name == \"Luna\"", "rssi > -70", "rssi >= -67", "rssi <= -67", "rssi < -66.5", "rssi != 0",
    "name ~ \"^Lu.a$\"", "connectable == true", "connectable != false", "services == \"1804\"",
    "serviceData.1804 == \"77\"", "manufacturerData.004c == \"2a\"", "!(rssi > 0)",
    "rssi > 0 || name == \"Luna\"", "rssi > -70 && (name ~ \"x\" || pdu == \"ADV_IND\")",
    "!rssi > 0", "adapter == \"hci0\"", "addressKind==\"static\"",
    "name ~ \"[[:upper:]]una\"", "type == \"advertisement\"", "!major == 1",
    "flags != 6 || rssi < 0", "rssi < 0x10", "rssi == -6.7e1",
    // Words for the signs, which bind alike.
    "rssi > 0 or name == \"Luna\"", "not rssi > 0 and not (rssi > 1 or rssi > 2)",
    "not(rssi>0)and(rssi<0)",
    // Existence.
    "has(name)", "has( rssi )", "!has(uri)", "has(serviceData)", "has(serviceData.1804)",
    "not has(serviceData.FEAA)", "has(services)", "!has(beacons)", "!has(beacon)",
    "!has(name) || name != \"x\"",
    // Sets and ranges of numbers.
    "rssi in {-1, -67}", "rssi in {-70..-60}", "pdu in {\"ADV_IND\",\"SCAN_RSP\"}",
    "name not in {\"a\", \"b\"}", "address in {\"c0:ff:ee:00:00:01\"}", "connectable in {true}",
    // Bytes.
    "data[0:1] == \"05\"", "data[1:5] == \"094C756E61\"", "data[0] == \"05\"",
    "data[:2] == \"0509\"",
    "data[-1] == \"2a\"", "data[-4:3] == \"ff4c00\"", "data[21:] == \"2A\"",
    "address[0:3] == \"c0:ff:ee\"", "manufacturerData.004C[0:1] > \"29\"", "data[2:4] ~ \"^4C\"",
    // Case.
    "address == \"c0:ff:ee:00:00:01\"", "address == \"C0FFEE000001\"", "services == \"180f\"",
    "data ~ \"094C756E61\"", "name ~ \"(?i)LUNA\"", "serviceData.1804 == \"77\"",
    // Companies.
    "company == \"Apple, Inc.\"", "company == \"Apple\"", "company ~ \"^Apple\"",
    "company == \"apple\"", "company == \"APPLE, INC.\"", "addressKind == \"Static\"",
    "pdu == \"adv_ind\"", "company != \"Google\"", "company in {\"Google\", \"Apple\"}",
    "has(company)",
    "manufacturerData ~ \"004c:2a\"",
    // Times.
    "time >= \"2026-01-02T03:04:05Z\"", "time < \"2026-01-02T03:04:06Z\"",
    "time >= \"2026-01-02T04:04:05+01:00\"", "time > \"2026-01-02\"", "time < 1767323046",
    "time ~ \"^2026\"",
    // Escapes.
    "name == \"\\u004cuna\"", "name == \"\\x4cuna\"", "name != \"\\ud83d\\udd11\"",
  ])
  func holds(_ filter: String) throws {
    #expect(try passes(filter))
  }

  @Test(arguments: [
    "name == \"luna\"", "rssi > -67", "major == 1", "major != 1", "major not in {1}",
    "major in {1}", "uuid ~ \"\"", "uri != \"x\"", "uri ~ \".\"",
    "name > \"Z\"", "services == \"180A\"", "beacon == \"ibeacon\"", "name ~ \"^una\"",
    "name == \"Luna\" && rssi > 0",
    "services != \"180F\"", "rssi in {1, 2}", "rssi in {-66..0}", "data[21:2] == \"2a\"",
    "data[22] != \"00\"", "data[-100] == \"05\"", "serviceData.FEAA[0:1] == \"00\"", "has(uri)",
    "has(beacons)", "directAddress[0:1] != \"00\"",
  ])
  func doesNotHold(_ filter: String) throws {
    #expect(try !passes(filter))
  }

  @Test(arguments: [
    "beacon == \"ibeacon\" && rssi > -70", "major == 41112", "minor == 26385", "power < -58",
    "uuid == \"45035880-a27f-5eb2-965f-de0bb7f471a6\"", "region == 0", "has(beacons)",
    "beacons == \"ibeacon\"", "beacons.major == 41112", "has(beacons.region)",
    "uuid[0:2] == \"4503\"", "beacon in {\"luna\", \"ibeacon\"}", "data[4:2] == \"0215\"",
    "data[2:2] == \"4C00\"",
  ])
  func looksIntoBeacons(_ filter: String) throws {
    #expect(try passes(filter, FilterTests.iBeacon))
  }

  /// An AirTag, as the screen calls it: by its family, and by the kind of device.
  @Test(arguments: [
    "beacon == \"airtag\"", "beacon == \"AirTag\"", "beacon == \"Apple Find My\"",
    "beacons == \"AirTag\"", "beacons == \"apple-find-my\"", "beacons != \"tile\"",
    "beacon in {\"Tile\", \"airtag\"}", "deviceType == \"AirTag\"", "beacon != \"tile\"",
    "airtag", "AIRTAG", "apple", "find", "C0FFEE", "c0:ff:ee", "beacon not in {\"airpods\"}",
    "airtag and rssi > -128", "rssi > -128 && (tile || airtag)", "not tile && c0:ff:ee", "(airtag)",
  ])
  func findsAnAirTag(_ filter: String) throws {
    #expect(try passes(filter, FilterTests.airTag))
  }

  @Test(arguments: [
    "beacon != \"airtag\"", "beacon == \"AirPods\"", "tile", "beef", "!airtag",
    "airtag && rssi > 19",
    "tile and rssi > -128",
  ])
  func findsNothingElse(_ filter: String) throws {
    #expect(try !passes(filter, FilterTests.airTag))
  }

  /// What a company makes is found by its network where no manufacturer data names it.
  @Test(arguments: [
    "company == \"Tile\"", "company ~ \"^Tile\"", "has(company)", "company != \"Apple\"",
  ])
  func findsTheMakerOfABeacon(_ filter: String) throws {
    var report = FilterTests.report
    report.payload = AdvertisingPayload(Hex.bytes("0303edfe") ?? [])
    #expect(try passes(filter, report))
  }

  @Test func saysThatAWordIsUnknown() throws {
    #expect(try FilterParser.parse("airtag").note == nil)
    #expect(try FilterParser.parse("Nordic").note == nil)
    #expect(try FilterParser.parse("c0:ff").note == nil)
    #expect(
      try FilterParser.parse("aritag").note
        == "no family, kind of device or company is called aritag: it is searched in names and "
        + "addresses; did you mean airtag?")
    #expect(try passes("lun"), "in a name")
  }

  /// Beside others a word has to be known: it may be a field that is mistyped.
  @Test(arguments: ["aritag and rssi > -80", "rssi > -80 || connectible", "airtag rssi > -80"])
  func takesNoUnknownWordBesideOthers(_ filter: String) {
    #expect(throws: FilterError.self) { try FilterParser.parse(filter) }
  }

  @Test(arguments: [
    ("aritag and rssi > -80", "did you mean airtag?"),
    ("rssi > -80 || connectible", "did you mean connectable?"),
  ])
  func namesWhatAnUnknownWordMayMean(_ filter: String, _ remedy: String) {
    #expect {
      try FilterParser.parse(filter)
    } throws: { error in
      (error as? FilterError)?.remedy?.description == remedy
    }
  }

  /// What is near to nothing gets a list of the fields.
  @Test func needsTheFieldsWhereNothingIsNear() {
    #expect {
      try FilterParser.parse("rssi > -80 && qqqqqqqq")
    } throws: { error in
      (error as? FilterError)?.needsFieldList == true
    }
  }

  /// Times are those of CLI.md: in UTC, until it is known whose they are.
  @Test func takesTheTimesOfPeople() throws {
    let noon = Timestamp(rfc3339: "2026-11-26T12:00:00Z") ?? .unknown
    func passes(_ filter: String, heardAt time: String) throws -> Bool {
      var report = FilterTests.report
      report.time = try #require(Timestamp(rfc3339: time))
      let filter = try FilterParser.parse(filter).meant(at: noon, in: GivenTimeTests.Berlin())
      var evaluator = FilterEvaluator(filter)
      return evaluator.passes(report)
    }
    let morning = "time >= \"yesterday 09:00\" && time < \"yesterday 10:00\""
    #expect(try passes(morning, heardAt: "2026-11-25T08:30:00Z"), "half past nine in Berlin")
    #expect(try !passes(morning, heardAt: "2026-11-25T09:30:00Z"))
    #expect(try passes("!(time < \"24h\")", heardAt: "2026-11-25T12:00:00Z"))
    #expect(try passes("time in {\"today\"}", heardAt: "2026-11-25T23:00:00Z"))
    #expect(try passes("time < \"today\"", heardAt: "2026-11-25T22:59:59Z"))
    // The same without quotes.
    let bare = "(time >= yesterday 09:00) and time < yesterday 10:00 && rssi < 0"
    #expect(try passes(bare, heardAt: "2026-11-25T08:30:00Z"))
    #expect(try !passes(bare, heardAt: "2026-11-25T09:30:00Z"))
    #expect(try passes("!(time < 24h)", heardAt: "2026-11-25T12:00:00Z"))
    #expect(try passes("time in {today, 2026-11-21 10:00}", heardAt: "2026-11-25T23:00:00Z"))
    #expect(try passes("time >= 2026-11-25T09:30:00+01:00", heardAt: "2026-11-25T08:30:00Z"))
    #expect(try !passes("time < today and rssi < 0", heardAt: "2026-11-25T23:00:00Z"))
    let unread = try FilterParser.parse("time >= \"2026-07-01 15:00\"")
    var evaluator = FilterEvaluator(unread)
    var report = FilterTests.report
    report.time = try #require(Timestamp(rfc3339: "2026-07-01T15:00:00Z"))
    let isInUTC = evaluator.passes(report)
    #expect(isInUTC)
  }

  @Test func refusesATimeThatClocksSkip() throws {
    let filter = try FilterParser.parse("rssi > -80 && time > \"2026-03-29 02:30\"")
    #expect {
      _ = try filter.meant(at: .unknown, in: GivenTimeTests.Berlin())
    } throws: { error in
      let error = error as? FilterError
      return error?.position == 21 && error?.reason.contains("put forward") == true
    }
  }

  /// A field of one name stands at the top level and in entries: the plain name is the first.
  @Test func aNameAtTopLevelMeansThatOne() throws {
    var report = FilterTests.report
    // A DULT tracker, whose entry has data of its own.
    report.payload = AdvertisingPayload(Hex.bytes("0716b2fc0101aabb") ?? [])
    #expect(try passes("data == \"0716b2fc0101aabb\" && beacons.data == \"aabb\"", report))
    #expect(try !passes("data == \"aabb\"", report))
  }

  @Test func bindsAndTighterThanOr() throws {
    for (and, or) in [("&&", "||"), ("and", "or")] {
      #expect(try passes("rssi < 0 \(or) rssi > 0 \(and) rssi > 0"))
      #expect(try !passes("(rssi < 0 \(or) rssi > 0) \(and) rssi > 0"))
      #expect(try passes("! rssi > 0 \(and) rssi < 0"))
    }
  }

  @Test func readsEscapedQuotesAndBackslashes() throws {
    var report = FilterTests.report
    report.payload = AdvertisingPayload([0x05, 0x09] + Array("a\"\\b".utf8))
    #expect(try passes(#"name == "a\"\\b""#, report))
    #expect(try passes(#"name ~ "a\"\\b""#, report))
    #expect(try !passes(#"name ~ "\.""#, report))
    report.payload = AdvertisingPayload([0x03, 0x09] + Array("\u{9B}".utf8))
    #expect(try passes(#"name == "\u009b" && name == "\x9B""#, report))
  }

  @Test(arguments: [
    ("", 0), ("rssi", 4), ("rssi >", 6), ("rssi > x", 7), ("rssi > 1 2", 9), ("(rssi > 1", 9),
    ("name == \"Luna", 8), ("&& rssi > 1", 0), ("name ~ 5", 7), ("rssi = 1", 5),
    ("name ~ \"[\"", 8), ("rssi > 1 &&", 11), ("rssi > nan", 7), ("rssi > 1e999", 7),
    ("nmae == \"x\"", 0), ("rssi > 1 && nam == \"x\"", 12), ("has(nam)", 4), ("has name", 0),
    ("has(name", 8), ("rssi in 5", 8), ("rssi in {}", 9), ("rssi in {1", 10), ("rssi in {1,}", 11),
    ("rssi in {5..1}", 9), ("name in {\"a\"..\"b\"}", 9), ("rssi[0:1] == \"00\"", 4),
    ("data[] == \"00\"", 4), ("data[0:0] == \"00\"", 4), ("data[0:1 == \"00\"", 9),
    ("data[99999999999999999999] == \"00\"", 5),
    ("data[-9223372036854775808] == \"00\"", 5), ("data[0:-9223372036854775808] == \"00\"", 7),
    ("data == \"xyz\"", 8), ("data == 5", 8),
    ("rssi == \"5\"", 8), ("name == 5", 8), ("connectable == 1", 15), ("connectable > true", 12),
    ("connectable", 11), ("rssi > 1)", 8), ("name == \"\\q\"", 9), ("name == \"\\u12\"", 11),
    ("name == \"\\ud800x\"", 9), ("time > \"soon\"", 7), ("time >", 6), ("time > soon", 7),
    ("time > today 9", 13), ("time > true", 7), ("address == C0:FF", 11),
    ("serviceData.xyz == \"00\"", 0), ("manufacturerData.4c == \"00\"", 0), ("name ~ \"(\"", 8),
    ("name ~ \"a\\\\1\\1\"", 13), ("name contains \"x\"", 5), ("name =~ \"x\"", 5),
    ("name not \"x\"", 9), ("beacon == \"aritag\"", 10), ("beacons == \"aritag\"", 11),
    ("company == \"Appl\"", 11),
    ("pdu in {\"ADV_IND\", \"ADV\"}", 19), ("rssi > 1 && aritag", 12),
  ])
  func saysWhereTheMistakeIs(_ filter: String, _ position: Int) {
    #expect {
      try FilterParser.parse(filter)
    } throws: { error in
      (error as? FilterError)?.position == position
    }
  }

  @Test(arguments: [
    ("nmae == \"x\"", "nmae is not a field; did you mean name?"),
    ("addresstype == \"x\"", "addresstype is not a field; did you mean addressType?"),
    ("majr == 1", "majr is not a field; did you mean major?"),
    ("rssi = 1", "there is no operator =; use =="),
    (
      "AirTag rssi > -80",
      "AirTag is a name, not a field; join it to what else has to hold: AirTag && …"
    ),
    (
      "tile rssi > -80",
      "tile is a name, not a field; join it to what else has to hold: tile && …"
    ),
    (
      "Apple, Inc.",
      "Apple, Inc. is a name of several words; say of what: company == \"Apple, Inc.\""
    ),
    (
      "google find hub",
      "google find hub is a name of several words; say of what: beacon == \"google find hub\""
    ),
    ("tile > -80", "tile is not a field; did you mean time?"),
    (
      "rssi",
      "expected one of == != < <= > >= ~ in after rssi; to ask whether it is there, "
        + "write has(rssi)"
    ),
    (
      "pdu == ADV_IND",
      "ADV_IND is not text in double quotes; put text in double quotes: "
        + "\"ADV_IND\""
    ),
    (
      "addressKind == \"fixed\"",
      "addressKind is never \"fixed\"; it is one of static, resolvable, non-resolvable"
    ),
    (
      "deviceType == \"tile\"",
      "deviceType is never \"tile\"; it is one of apple-device, airtag, accessory, airpods"
    ),
    (
      "state == \"lost\"",
      "state is never \"lost\"; it is one of separated, nearby, premature-offline, offline, "
        + "overmature-offline, connected-to-paired, connected-to-one, connected-to-two"
    ),
    ("type == \"AirTag\"", "type is never \"AirTag\"; it is one of advertisement"),
    (
      "battery == \"empty\"",
      "battery is never \"empty\"; it is one of full, medium, low, critical"
    ),
    (
      "time > soon",
      "soon is not a time; use one such as 2026-11-21 10:00, yesterday 09:00 or 24h"
    ),
    ("company == \"Aple\"", "no company is called \"Aple\"; did you mean \"Apple\"?"),
    (
      "name ~ \"*\"",
      "this is not a regular expression: there is nothing before * to repeat; "
        + "write .* for any text, or \\* for the character itself"
    ),
  ])
  func saysWhatToDo(_ filter: String, _ text: String) {
    #expect {
      try FilterParser.parse(filter)
    } throws: { error in
      (error as? FilterError)?.description == text
    }
  }

  /// Every depth and length ends with an error or a filter, never with the end of the stack.
  @Test(arguments: [
    String(repeating: "(", count: 100_000), String(repeating: "(", count: 9_000),
    String(repeating: "!", count: 9_000) + "rssi > 1",
    String(repeating: "not ", count: 2_000) + "rssi > 1",
    String(repeating: "rssi>1||", count: 1_200) + "rssi>1",
    String(repeating: "rssi > 1 && ", count: 100_000) + "rssi > 1",
    "rssi in {" + String(repeating: "1,", count: 2_000) + "1}",
    "name ~ \"" + String(repeating: "(", count: 5_000) + "\"",
    "name ~ \"" + String(repeating: "(a{255}){255}", count: 5) + "\"",
    "name ~ \"((((a{1,255}){1,255}){1,255}){1,255}){1,255}\"",
    "name ~ \"a" + String(repeating: "*", count: 5_000) + "\"",
    "name == \"" + String(repeating: "x", count: 100_000) + "\"",
  ])
  func refusesHostileSizes(_ filter: String) {
    #expect(throws: FilterError.self) { try FilterParser.parse(filter) }
  }

  @Test func takesLongChains() throws {
    let chain = Array(repeating: "rssi>1", count: 900).joined(separator: "||")
    #expect(try !passes(chain))
    #expect(try passes(chain + "||rssi<0"))
  }
}
