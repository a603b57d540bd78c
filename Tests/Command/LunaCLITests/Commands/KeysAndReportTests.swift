import Foundation
import Testing

/// `luna keys` and `luna report` with the anchors of PROTOCOL.md, 18.
struct KeysAndReportTests {
  private static let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
  private static let heid = "a09867114718541141ed60664ce88cbb"
  private static let frame = [
    "--eid", "b6e7b607bdc2304a", "--aotp", "e5c8013424402b", "--esf", "a77593",
  ]
  private let luna: Luna

  init() throws { luna = try Luna() }

  private func open(_ report: String, _ words: [String] = []) async throws -> Luna.Answer {
    try await luna.run(
      ["report", "open", "--master-key-file", "-", "--heid", Self.heid, "--esf", "a77593", report]
        + words, input: Self.key + "\n")
  }

  @Test(arguments: [
    ["--counter", "1660156"], ["--at", "2023-11-14T22:15:23Z"], ["--at", "1700000123"],
  ])
  func printsAPeriod(words: [String]) async throws {
    let answer = try await luna.run(["keys", "--master-key-file", "-"] + words, input: Self.key)
    #expect(
      answer.output == """
        {"type":"period","counter":1660156,"from":"2023-11-14T22:09:04.000000Z",\
        "to":"2023-11-14T22:26:08.000000Z","eid":"b6e7b607bdc2304a","aotp":"e5c8013424402b",\
        "heid":"\(Self.heid)"}

        """)
  }

  @Test func countsAndStopsAtTheEnd() async throws {
    let words = ["keys", "--master-key-file", "-", "--secrets", "--count", "3", "--counter"]
    #expect(
      try await luna.run(words + ["5"], input: Self.key).lines.map { $0["counter"] as? Int } == [
        5, 6, 7,
      ])
    let last = try await luna.run(words + ["4294967295"], input: Self.key)
    #expect(last.lines.count == 1)
    #expect((last.lines[0]["botp"] as? String)?.count == 64)
    // It is in the year 141,338.
    #expect(last.lines[0]["from"] == nil && last.lines[0]["to"] == nil)
    let early = try await luna.run(
      ["keys", "--master-key-file", "-", "--at", "1969-12-31T23:59:59Z"], input: Self.key)
    #expect(early.code == 2 && early.output.isEmpty)
  }

  /// The test vector of the Eddystone-EID specification is checked by luna selftest; here the form.
  @Test func printsEddystoneIdentifiers() async throws {
    let answer = try await luna.run(
      [
        "keys", "--eddystone", "--master-key-file", "-", "--exponent", "4", "--counter", "37",
        "--count", "2",
      ],
      input: String(Self.key.prefix(32)))
    #expect(answer.lines.map { $0["counter"] as? Int } == [32, 48])
    #expect(answer.lines.allSatisfy { ($0["eid"] as? String)?.count == 16 })
    // Its clock has 32 bits.
    let late = try await luna.run(
      ["keys", "--eddystone", "--master-key-file", "-", "--at", "2200-01-01T00:00:00Z"],
      input: String(Self.key.prefix(32)))
    #expect(late.code == 2 && late.output.isEmpty && late.errors.contains("2106"))
  }

  @Test func saysWhichPeriodsThereAre() async throws {
    let answer = try await luna.run(
      ["keys", "--master-key-file", "-", "--counter", "4294967296"], input: Self.key)
    #expect(answer.code == 2)
    #expect(answer.errors.contains("use a whole number from 0 to 4294967295"), "\(answer.errors)")
  }

  @Test func opensWhatItSeals() async throws {
    let sealed = try await luna.run(
      [
        "report", "seal", "--latitude", "52.5", "--longitude", "-13.4", "--altitude", "30.25",
        "--time", "2023-11-14T22:15:23Z", "--rssi", "-70",
      ] + Self.frame)
    #expect(sealed.code == 0)
    let report = sealed.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(report.count == 84)
    for words in [[], ["--counter", "1660156"], ["--at", "2023-11-14T22:30:00Z"]] {
      let event = try #require(try await open(report, words).lines.first)
      #expect(event["time"] as? String == "2023-11-14T22:15:23.000000Z")
      #expect(event["latitude"] as? Double == 52.5)
      #expect(event["longitude"] as? Double == -13.4)
      #expect(event["altitude"] as? Double == 30.25)
      #expect(event["rssi"] as? Int == -70)
      #expect(event["counter"] as? Int == 1_660_156)
      #expect(event["plausible"] as? Bool == true)
      #expect(event["batteryLow"] as? Bool == true)
      #expect(event["speed"] == nil)
    }
  }

  @Test func saysWhyAReportDoesNotOpen() async throws {
    let sealed = try await luna.run(
      ["report", "seal", "--format", "jsonl", "--latitude", "0", "--longitude", "0", "--time", "0"]
        + Self.frame)
    let report = try #require(sealed.lines.first?["encodedLocation"] as? String)
    #expect(sealed.lines[0]["heid"] as? String == Self.heid)
    #expect(sealed.lines[0]["day"] as? String == "1970-01-01")
    let late = try #require(try await open(report, ["--counter", "1660156"]).lines.first)
    #expect(late["plausible"] as? Bool == false)
    let changed =
      "AQEV" + (report.hasPrefix("AQEV") ? "AAAA" : "")
      + report.dropFirst(report.hasPrefix("AQEV") ? 8 : 4)
    for (text, words, code, reason) in [
      (changed, [], Int32(1), "auth"), ("AAAA", [], 8, "length"), ("????", [], 8, "base64"),
      (report, ["--counter", "7"], 1, "any period"),
    ] {
      let answer = try await open(text, words.isEmpty ? ["--counter", "1660156"] : words)
      #expect(answer.code == code)
      #expect(answer.errors.contains(reason), "\(answer.errors)")
    }
  }

  @Test(arguments: [
    "", "00", "no key at all", String(key.dropLast()) + "g",
    // As many digits as a key has bytes: that of a beacon, or half of one.
    String(key.prefix(32)),
  ])
  func refusesWhatIsNoKey(text: String) async throws {
    let answer = try await luna.run(["keys", "--master-key-file", "-"], input: text)
    #expect(answer.code == 8)
    #expect(answer.errors.contains("64 hexadecimal digits"))
    if !text.isEmpty { #expect(!answer.errors.contains(text)) }
  }
}
