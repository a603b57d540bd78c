import LunaCore
import LunaJSON
import LunaProtocol
import LunaShare
import Testing

/// Headers that a key of a contact has sealed, and that are wrong all the same.
struct HeaderTests {
  static let good: [(String, JSONValue)] = [
    ("kind", "grant"), ("share", "6ba7b810-9dad-41d1-80b4-00c04fd430c8"), ("serial", 1),
    ("name", "n"), ("model", ""), ("rights", []), ("first", 1_660_156), ("count", 2),
    ("clock", ["low": 0, "high": 0, "at": 0]), ("backend", ""), ("issuedAt", 0), ("until", 1),
  ]

  private func rejection(
    _ changes: [(String, JSONValue?)], records: Int = 30
  ) throws -> ShareRejection? {
    var header = JSONObject()
    for (name, value) in Self.good {
      let change = changes.first { $0.0 == name }
      if let value = change.map(\.1) ?? value { header.append(name, value) }
    }
    for (name, value) in changes where !Self.good.contains(where: { $0.0 == name }) {
      if let value { header.append(name, value) }
    }
    let bytes = [UInt8](repeating: 1, count: records)
    return Samples.rejection(try Samples.envelope(.object(header), records: bytes))
  }

  @Test func aGoodOneIsTaken() throws {
    #expect(try rejection([]) == nil)
    #expect(try rejection([("later", "versions may add members")]) == nil)
  }

  @Test(arguments: good.map(\.0))
  func whatIsMissingOrMistypedIsRefused(name: String) throws {
    #expect(try rejection([(name, nil)]) == .header)
    #expect(try rejection([(name, .null)]) == .header)
    let other: JSONValue =
      ["serial", "first", "count", "issuedAt", "until"].contains(name) ? "1" : 1
    #expect(try rejection([(name, other)]) == .header)
  }

  @Test func otherValuesAreRefused() throws {
    #expect(try rejection([("kind", "loan")]) == .kind)
    #expect(try rejection([("kind", "")]) == .kind)
    #expect(try rejection([("kind", "loan"), ("serial", "1")]) == .header)
    #expect(try rejection([("share", "6ba7b810")]) == .header)
    #expect(try rejection([("serial", -1)]) == .header)
    #expect(try rejection([("serial", 0)]) == .serial)
    #expect(try rejection([("serial", .real(1.5))]) == .header)
    // Beyond these, readers do not have the same number.
    #expect(try rejection([("serial", .integer((1 << 53) - 1))]) == nil)
    #expect(try rejection([("serial", .integer(1 << 53))]) == .header)
    #expect(try rejection([("issuedAt", .integer(1 - (1 << 53)))]) == nil)
    #expect(try rejection([("issuedAt", .integer(-(1 << 53)))]) == .header)
    #expect(try rejection([("rights", ["see"])]) == .header)
    #expect(try rejection([("rights", ["status", "status"])]) == .header)
    #expect(try rejection([("rights", ["ring", "status"])]) == .header)
    #expect(try rejection([("clock", ["low": 0, "high": 0])]) == .header)
    #expect(try rejection([("ringSeconds", 12)]) == .header)
    #expect(try rejection([("rights", ["status"])]) == .records)
    #expect(try rejection([("rights", ["status"])], records: 94) == nil)
    #expect(try rejection([("rights", ["ring"])]) == .header)
    for (seconds, rings) in [(0, 1), (61, 1), (12, 0), (12, 3), (12, 16)] as [(Int64, Int64)] {
      let changes: [(String, JSONValue?)] = [
        ("rights", ["ring"]), ("ringSeconds", .integer(seconds)),
        ("ringsPerPeriod", .integer(rings)),
      ]
      #expect(try rejection(changes) == .header)
    }
    let ring: [(String, JSONValue?)] = [
      ("rights", ["ring"]), ("ringSeconds", 12), ("ringsPerPeriod", 2),
    ]
    #expect(try rejection(ring, records: 94) == nil)
    #expect(try rejection(ring, records: 93) == .records)
  }

  @Test func rangesThatAreNoneAreRefused() throws {
    let far = Int64(SharedPeriods.lastEnd)
    for (first, count) in [
      (1, 0), (1, -1), (1, 33_751), (-1, 2), (far, 1), (far - 1, 2), (Int64(UInt32.max), 2),
      (Int64(UInt32.max) + 1, 2), (1 << 52, 1 << 52), (0, 1 << 32),
    ] as [(Int64, Int64)] {
      let changes: [(String, JSONValue?)] = [
        ("first", .integer(first)), ("count", .integer(count)),
      ]
      #expect(try rejection(changes) == .range, "\(first) \(count)")
    }
    #expect(try rejection([("first", .integer(far - 2))]) == nil)
    #expect(try rejection([("first", 0)]) == nil)
    let most: [(String, JSONValue?)] = [("count", 33_750)]
    #expect(try rejection(most, records: 33_750 * 15) == nil)
    #expect(try rejection(most, records: 33_750 * 15 - 1) == .records)
  }

  @Test func endsHaveNoRecords() throws {
    let header: JSONValue = [
      "kind": "end", "share": "6BA7B810-9DAD-41D1-80B4-00C04FD430C8", "serial": 1, "issuedAt": 1,
    ]
    #expect(Samples.rejection(try Samples.envelope(header)) == nil)
    #expect(Samples.rejection(try Samples.envelope(header, records: [0])) == .records)
  }

  /// Of two faults that is told which is looked for first (SHARING.md, 2).
  @Test func theFirstOfTwoFaultsIsTold() throws {
    let faults: [(ShareRejection, [(String, JSONValue?)], Int)] = [
      (.header, [("issuedAt", nil)], 30), (.kind, [("kind", "loan")], 30),
      (.range, [("count", 0)], 30), (.records, [], 29), (.serial, [("serial", 0)], 30),
    ]
    for (place, first) in faults.enumerated() {
      #expect(try rejection(first.1, records: first.2) == first.0)
      for second in faults[(place + 1)...] {
        let records = min(first.2, second.2)
        #expect(
          try rejection(first.1 + second.1, records: records) == first.0,
          "\(first.0) and \(second.0)")
      }
    }
    // What only a grant has is part of the header, too.
    #expect(try rejection([("name", nil), ("count", 0)]) == .header)
    #expect(try rejection([("rights", ["see"]), ("first", -1)], records: 29) == .header)
    let end: JSONValue = ["kind": "end", "share": "6ba7b810-9dad-41d1-80b4-00c04fd430c8"]
    #expect(Samples.rejection(try Samples.envelope(end, records: [0])) == .header)
    let old: JSONValue = [
      "kind": "end", "share": "6ba7b810-9dad-41d1-80b4-00c04fd430c8", "serial": 0, "issuedAt": 1,
    ]
    #expect(Samples.rejection(try Samples.envelope(old)) == .serial)
    #expect(Samples.rejection(try Samples.envelope(old, records: [0])) == .records)
  }

  @Test func whatIsNoHeaderIsRefused() throws {
    for text in ["", "{", "[]", "null", "{}", "{\"kind\":\"end\",\"kind\":\"end\"}"] {
      #expect(Samples.rejection(try Samples.envelope(Array(text.utf8))) == .header)
    }
    for plaintext: [UInt8] in [
      [], [0], [0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 9, 1], [255, 255, 255, 255, 1],
      [0, 0, 64, 1] + [UInt8](repeating: 32, count: 16_385),
    ] {
      #expect(Samples.rejection(try Samples.envelope(plaintext: plaintext)) == .header)
    }
    let deep = Array(String(repeating: "[", count: 9000).utf8)
    #expect(Samples.rejection(try Samples.envelope(deep)) == .header)
  }
}
