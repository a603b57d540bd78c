import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaOwner
import LunaProtocol
import LunaTesting
import Testing

struct ImportTests {
  private func read(_ text: String) throws -> [Device] {
    try ImportFile.devices(Array(text.utf8))
  }

  private func problem(_ text: String) -> DeviceFileError? {
    do {
      _ = try read(text)
      return nil
    } catch {
      return error as? DeviceFileError
    }
  }

  @Test func readsWhatItWrites() throws {
    let devices = Samples.oneOfEach()
    let text = DeviceFile.encode(devices)
    #expect(try read(text) == devices)
    #expect(try read("\u{FEFF}" + text) == devices)
    #expect(try read(DeviceFile.encode([])).isEmpty)
  }

  @Test func readsFindMyAccessories() throws {
    let devices = [
      try read(Samples.findMy()),
      try read("[" + Samples.findMy(more: "") + "]"),
      try read(Samples.record()),
      try read(Samples.record(secondary: "secureLocationsSharedSecret", privateKeyBytes: 28)),
    ].flatMap { $0 }
    #expect(devices.count == 4)
    for device in devices {
      guard case .appleFindMy(let keys) = device.keys else {
        Issue.record("\(device)")
        continue
      }
      #expect(keys.masterKey == Samples.secret(28, 10))
      #expect(keys.primarySecret == Samples.secret(32, 11))
      #expect(keys.secondarySecret == Samples.secret(32, 12))
      #expect(keys.alignment == nil)
      #expect(device.uuid == DeviceUUID("0F14A7C4-98C3-4D5C-9F0E-2D2A6B1C3E4F"))
      #expect(device.onboardingSeconds == 1_710_934_496)
    }
    #expect(devices[0].name == "Keys")
    #expect(devices[2].name == "Tom & Jérry")
  }

  @Test func takesTheAlignmentOfAnAccessory() throws {
    let more = #","alignment_date":"2025-01-01T00:00:00+00:00","alignment_index":27000"#
    guard case .appleFindMy(let keys) = try read(Samples.findMy(more: more))[0].keys else {
      Issue.record("not an accessory")
      return
    }
    #expect(
      keys.alignment
        == FindMyKeys.Alignment(
          time: Timestamp(microseconds: 1_735_689_600_000_000), index: 27000))
  }

  @Test func takesTheAlignmentOfARecord() throws {
    let alignment = Array(Samples.alignment().utf8)
    let device = try #require(
      ImportFile.devices(Array(Samples.record().utf8), alignment: alignment).first)
    guard case .appleFindMy(let keys) = device.keys else {
      Issue.record("not an accessory")
      return
    }
    #expect(
      keys.alignment
        == FindMyKeys.Alignment(
          time: Timestamp(microseconds: 1_735_689_600_000_000), index: 27000))
  }

  /// Some programs write the alignment into the record, flat or as a dictionary.
  @Test(arguments: [
    "<key>lastIndexObserved</key><integer>27000</integer>"
      + "<key>lastIndexObservationDate</key><date>2025-01-01T00:00:00Z</date>",
    "<key>alignment</key><dict><key>lastIndexObserved</key><integer>27000</integer>"
      + "<key>lastIndexObservationDate</key><date>2025-01-01T00:00:00Z</date></dict>",
  ])
  func takesTheAlignmentInARecord(members: String) throws {
    let record = Samples.record().replacing("<key>cloud</key>", with: members + "<key>cloud</key>")
    guard case .appleFindMy(let keys) = try read(record)[0].keys else {
      Issue.record("not an accessory")
      return
    }
    #expect(
      keys.alignment
        == FindMyKeys.Alignment(
          time: Timestamp(microseconds: 1_735_689_600_000_000), index: 27000))
  }

  @Test(arguments: [
    (
      Samples.findMy(
        more: #","alignment_date":"2025-01-01T00:00:00Z","alignment_index":4294967295"#),
      "alignment_index cannot have been reached"
    ),
    (
      Samples.findMy(more: #","alignment_date":"9999-12-31T23:59:59Z","alignment_index":1"#),
      "alignment_date is not between 1970 and 2106"
    ),
    (
      Samples.findMy(more: #","alignment_date":4294967296,"alignment_index":1"#),
      "alignment_date is not between"
    ),
    (
      Samples.findMy().replacing("2024-03-20", with: "9999-03-20"),
      "paired_at is not between 1970 and 2106"
    ),
    (Samples.findMy().replacing("2024-03-20", with: "0001-03-20"), "paired_at is not between"),
    (
      Samples.record().replacing("2024-03-20T11:34:56Z", with: "9999-03-20T11:34:56Z"),
      "pairingDate is not between 1970 and 2106"
    ),
    (
      entries(
        #"{"kind":"eddystone-eid","identityKey":"\#(Samples.hex("01", 16))","exponent":1,"#
          + #""onboardingTimestamp":"9999-12-31T23:59:59Z"}"#),
      "onboardingTimestamp is not between"
    ),
    (
      entries(
        #"{"kind":"google-find-hub","identityKey":"\#(Samples.hex("01", 32))","#
          + #""counter":4294967296,"onboardingTimestamp":1735689600}"#),
      "counter is out of range"
    ),
    (
      entries(
        #"{"kind":"apple-find-my","masterKey":"\#(Samples.hex("01", 28))","#
          + #""primarySecret":"\#(Samples.hex("01", 32))","secondarySecret":"\#(Samples.hex("01", 32))","#
          + #""alignmentTimestamp":1735689600,"alignmentIndex":4294967295,"#
          + #""onboardingTimestamp":1735689600}"#),
      "alignmentIndex cannot have been reached"
    ),
  ])
  func refusesWhatCannotBe(text: String, problem: String) {
    let error = #expect(throws: DeviceFileError.self) { try read(text) }
    #expect(error?.reason.contains(problem) == true, "\(String(describing: error))")
  }

  @Test func refusesAnAlignmentThatCannotHaveBeenReached() {
    let alignment = Samples.alignment(index: "<integer>4294967295</integer>")
    let error = #expect(throws: DeviceFileError.self) {
      try ImportFile.devices(Array(Samples.record().utf8), alignment: Array(alignment.utf8))
    }
    #expect(error?.reason.contains("cannot have been reached") == true)
  }

  /// FindMy.py writes the day of pairing and 0 of accessories that it has not located yet: that says
  /// nothing.
  @Test func anAlignmentThatSaysNothingIsNone() throws {
    let more = #","alignment_date":"2024-03-20T12:34:56.789000+01:00","alignment_index":0"#
    guard case .appleFindMy(let keys) = try read(Samples.findMy(more: more))[0].keys else {
      Issue.record("not an accessory")
      return
    }
    #expect(keys.alignment == nil)
  }

  @Test(arguments: [
    (Samples.record(), Samples.alignment(date: "<string>x</string>"), "lastIndexObservationDate"),
    (Samples.record(), Samples.alignment(index: "<integer>-1</integer>"), "lastIndexObserved"),
    (Samples.record(), Samples.alignment(index: "<integer>4294967296</integer>"), "no index"),
    (Samples.record(), "<plist><array/></plist>", "not a dictionary"),
    (Samples.record(), "{}", "not an XML property list"), (Samples.record(), "", "empty"),
    (Samples.findMy(), Samples.alignment(), "belongs to an accessory record"),
  ])
  func namesWhatIsWrongWithAnAlignment(file: String, alignment: String, problem: String) {
    let error = #expect(throws: DeviceFileError.self) {
      try ImportFile.devices(Array(file.utf8), alignment: Array(alignment.utf8))
    }
    #expect(error?.reason.contains(problem) == true, "\(String(describing: error))")
  }

  /// As `luna tracker export` writes it.
  @Test func takesAShorterForm() throws {
    let text = Self.entries(
      #"{"uuid":"00000000-0000-4000-8000-000000000001","name":"a","#
        + #""masterKey":"\#(Samples.hex("01", 32))","onboardingTimestamp":1735689600}"#)
    #expect(try read(text) == read(Self.entries(Self.luna())))
  }

  /// Keys of makers that give no uuid: the file is written by hand, and read twice is one device.
  @Test func findsTheSameDeviceAgain() throws {
    let text = """
      {"format":"luna-devices","version":1,"devices":[
      {"kind":"resolvable-address","identityResolvingKey":"\(Samples.hex("07", 16))","name":"phone"},
      {"kind":"google-find-hub","identityKey":"\(Samples.hex("07", 32))",
       "onboardingTimestamp":"2025-01-01T00:00:00Z","name":"bag"},
      {"kind":"eddystone-eid","identityKey":"\(Samples.hex("07", 16))","exponent":10,"counter":99,
       "onboardingTimestamp":"2025-01-01T00:00:00Z"}]}
      """
    let devices = try read(text)
    #expect(try read(text) == devices)
    #expect(Set(devices.map(\.uuid)).count == 3)
    #expect(devices.map(\.keys.kind) == [.resolvableAddress, .googleFindHub, .eddystoneEID])
    #expect(devices[2].name == devices[2].uuid.description)
  }

  static let wrongFiles: [(String, String?, String)] = [
    ("", nil, "empty"), ("hello", nil, "neither JSON"), ("{}", nil, "format is not"),
    (#"{"format":"luna-devices","devices":[]}"#, nil, "version is missing"),
    (#"{"format":"luna-devices","version":2,"devices":[]}"#, nil, "version 2 is not known"),
    (#"{"format":"luna-devices","version":1}"#, nil, "devices is missing"),
    (entries("1"), "entry 1", "not an object"), (entries("{}"), "entry 1", "masterKey is missing"),
    (entries(#"{"kind":"tile","name":"x"}"#), "entry 1 (x)", "\"tile\" is not known"),
    (entries(luna(key: Samples.hex("01", 31))), "entry 1 (a)", "masterKey has 31 bytes, not 32"),
    (entries(luna(key: Samples.hex("01", 33))), "entry 1 (a)", "masterKey has 33 bytes, not 32"),
    (entries(luna(key: "xy")), "entry 1 (a)", "masterKey is not hexadecimal"),
    (entries(luna(uuid: "1234")), "entry 1 (a)", "uuid is not a UUID"),
    (entries(luna(time: "yesterday")), "entry 1 (a)", "onboardingTimestamp is not a time"),
    (entries(luna(time: "2107-01-01T00:00:00Z")), "entry 1 (a)", "between 1970 and 2106"),
    (entries(luna() + "," + luna()), "entry 2 (a)", "has the uuid of entry 1 (a)"),
    (
      entries(luna() + "," + luna(uuid: "00000000-0000-4000-8000-000000000002", name: "b")),
      "entry 2 (b)", "same key as entry 1 (a)"
    ),
    (
      entries(#"{"kind":"eddystone-eid","exponent":16}"#), "entry 1",
      "exponent is not a whole number"
    ),
    (
      entries(
        #"{"kind":"google-find-hub","curve":"P-256","identityKey":"\#(Samples.hex("07", 32))"}"#),
      "entry 1", "curve \"P-256\" is not known"
    ),
    (
      entries(#"{"kind":"resolvable-address","identityResolvingKey":"00"}"#), "entry 1",
      "identityResolvingKey has 1 bytes, not 16"
    ),
    (Samples.findMy(masterKey: Samples.hex("0a", 27)), "entry 1 (Keys)", "master_key has 27"),
    (Samples.findMy(skn: Samples.hex("0b", 28)), "entry 1 (Keys)", "skn has 28"),
    (Samples.findMy(type: "keypair"), "entry 1 (Keys)", "private_key is missing"),
    (Samples.findMy(type: "person"), "entry 1 (Keys)", "neither \"accessory\" nor"),
    ("bplist00abc", nil, "binary property list"),
    ("<plist><array/></plist>", nil, "not an accessory record"),
    ("<plist><dict></plist>", nil, "not a property list"),
    ("<plist><dict/>", nil, "no closing tag"),
    (Samples.record(privateKeyBytes: 27), nil, "privateKey.key.data has 27 bytes, not 28"),
    (Samples.record(secondary: "other"), nil, "secondarySharedSecret.key.data are missing"),
    (
      Samples.record(head: "<!DOCTYPE plist [<!ENTITY a \"b\">]>"), nil, "DOCTYPE with declarations"
    ),
    (String(repeating: "<plist>", count: 9) + "<array>", nil, "not a property list"),
  ]

  static func entries(_ text: String) -> String {
    #"{"format":"luna-devices","version":1,"devices":["# + text + "]}"
  }

  static func luna(
    uuid: String = "00000000-0000-4000-8000-000000000001", key: String = Samples.hex("01", 32),
    time: String = "2025-01-01T00:00:00Z", name: String = "a"
  ) -> String {
    """
    {"kind":"luna","uuid":"\(uuid)","masterKey":"\(key)","onboardingTimestamp":"\(time)","name":"\(name)"}
    """
  }

  @Test(arguments: wrongFiles)
  func namesWhatIsWrong(text: String, entry: String?, problem: String) {
    let error = self.problem(text)
    #expect(error?.entry == entry)
    #expect(error?.reason.contains(problem) == true, "\(String(describing: error))")
  }

  @Test func neverTellsAKey() {
    for (text, _, _) in Self.wrongFiles {
      let error = problem(text)
      for key in ["0101", "0a0a", "0b0b", "0c0c"] {
        #expect(error?.description.contains(key) != true)
      }
    }
  }

  /// Every beginning of a good file is refused, and none stops the process.
  @Test(arguments: [Samples.findMy(), Samples.record()])
  func refusesEveryBeginning(text: String) {
    let bytes = Array(text.utf8)
    let whole = bytes.count - (text.hasSuffix("\n") ? 1 : 0)
    for count in 0..<whole {
      #expect(throws: DeviceFileError.self) { try ImportFile.devices(Array(bytes[..<count])) }
    }
  }

  @Test(arguments: [Samples.findMy(), Samples.record(), entries(luna())])
  func survivesAnyChange(text: String) {
    let bytes = Array(text.utf8)
    var generator = Seeded.drawn()
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: bytes.indices, using: &generator)
        changed[index] = .random(in: 0...255, using: &generator)
      }
      _ = try? ImportFile.devices(changed)
    }
  }

  @Test func survivesDepth() {
    let text = "<plist>" + String(repeating: "<array>", count: 100_000)
    #expect(problem(text)?.reason.contains("too deep") == true)
  }
}
