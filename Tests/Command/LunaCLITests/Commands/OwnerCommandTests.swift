import Foundation
import Testing

struct OwnerCommandTests {
  private static let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
  private let luna: Luna

  init() throws { luna = try Luna() }

  private static func file(_ entries: [(String, String, String)]) -> String {
    let texts = entries.map { uuid, name, key in
      """
      {"uuid":"\(uuid)","name":"\(name)","masterKey":"\(key)","onboardingTimestamp":1690000000}
      """
    }
    return #"{"format":"luna-devices","version":1,"devices":[\#(texts.joined(separator: ","))]}"#
  }

  private static let uuid = "0f14a7c4-98c3-4d5c-9f0e-2d2a6b1c3e4f"
  private static let two = file([
    (uuid, "keys", key), ("0f14ffff-98c3-4d5c-9f0e-2d2a6b1c3e4f", "bag", String(key.reversed())),
  ])

  private func importTwo() async throws {
    let answer = try await luna.run(["owner", "import", "-"], input: Self.two)
    #expect(answer.code == 0)
    #expect(answer.lines.map { $0["type"] as? String } == ["imported", "imported"])
  }

  @Test func listsRenamesAndForgets() async throws {
    try await importTwo()
    let list = try await luna.run(["owner", "list"])
    #expect(list.lines.map { $0["name"] as? String } == ["keys", "bag"])
    #expect(list.lines[0]["device"] as? String == Self.uuid.uppercased())
    #expect(list.lines[0]["onboardingTimestamp"] as? String == "2023-07-22T04:26:40.000000Z")
    #expect(!list.output.contains("0001020304"), "keys only with --secrets")
    #expect(try await luna.run(["owner", "rename", "0F14FFFF", "ruck\u{200B}sack"]).code == 0)
    #expect(
      try await luna.run(["owner", "show", "rucksack"]).lines[0]["name"] as? String == "rucksack")
    #expect(try await luna.run(["owner", "forget", "--yes", "Rucksack"]).code == 0)
    #expect(try await luna.run(["owner", "list"]).lines.count == 1)
    let shown = try await luna.run(["owner", "show", "keys", "--secrets"])
    #expect(shown.lines[0]["masterKey"] as? String == Self.key)
    // In the form that is asked for, too.
    let row = try await luna.run(["owner", "show", "keys", "--secrets", "--format", "csv"])
    #expect(
      row.output
        == "name,kind,device,onboardingTimestamp,lastSeenAt,rssi,masterKey\n"
        + "keys,luna,\(Self.uuid.uppercased()),2023-07-22T04:26:40.000000Z,,,\(Self.key)\n")
    let table = try await luna.run(["owner", "show", "keys", "--secrets", "--format", "table"])
    #expect(table.lines.isEmpty && table.output.contains(Self.key))
    for form in ["csv", "table"] {
      let open = try await luna.run(["owner", "show", "keys", "--format", form])
      #expect(open.code == 0 && !open.output.contains("0001020304"))
    }
  }

  @Test func callsADeviceWithoutANameByItsUUID() async throws {
    let text = Self.file([(Self.uuid, "", Self.key)])
    #expect(try await luna.run(["owner", "import", "-"], input: text).code == 0)
    let list = try await luna.run(["owner", "list"])
    #expect(list.lines.map { $0["name"] as? String } == [Self.uuid.uppercased()])
    #expect(try await luna.run(["owner", "forget", "--yes", ""]).code == 1)
  }

  @Test func exportsWhatItImports() async throws {
    try await importTwo()
    let path = luna.directory + "/export.json"
    #expect(try await luna.run(["owner", "export", path]).code == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let other = luna.directory + "/other"
    #expect(try await luna.run(["owner", "import", path, "--state", other]).code == 0)
    let again = try await luna.run(["owner", "export", "-", "--state", other])
    #expect(again.output == (try String(contentsOfFile: path, encoding: .utf8)))
  }

  @Test func callsAHomeMadeTagAfterItsFile() async throws {
    let key = "Private key: r8Tr7xLHyWyQ3wgX/y+2nzq60XOe8y+BIvtTPA==\n"
    let nameless = try await luna.run(["owner", "import", "-"], input: key).lines
    #expect(nameless[0]["name"] as? String == nameless[0]["device"] as? String)
    // What it is called once, it is called after that, too.
    for name in ["Bike", "Bicycle"] {
      let path = try luna.file(name + ".keys", key)
      #expect(try await luna.run(["owner", "import", path]).lines[0]["name"] as? String == "Bike")
      let list = try await luna.run(["owner", "list"]).lines
      #expect(list.map { $0["name"] as? String } == ["Bike"])
      #expect(list[0]["kind"] as? String == "apple-find-my-key")
    }
    let again = try await luna.run(["owner", "import", "-"], input: key).lines
    #expect(again[0]["name"] as? String == "Bike")
  }

  /// Of packages for another day the counter is that of today, or no clock could be set before that day.
  @Test func makesPackagesForLater() async throws {
    try await importTwo()
    let words = ["owner", "packages", "keys", "--at", "2100-01-01", "--hours", "1"]
    let packages = try await luna.run(words).lines
    let counter = try #require(packages.first?["counter"] as? Int)
    #expect(counter < 4_102_358_400)
  }

  static let errors: [([String], String, Int32, String)] = [
    (["owner", "show", "wallet"], "", 1, "there is no device \"wallet\""),
    (["owner", "rename", "wallet", "x"], "", 1, "there is no device"),
    (["owner", "forget", "--yes", "0f14"], "", 2, "may be 2 devices"),
    (["owner", "forget", "Rucksack"], "", 2, "give --yes"),
    (["owner", "rename", "keys", ""], "", 2, "NAME"),
    (["owner", "forget"], "", 2, "DEVICE is missing"),
    (["owner", "import", "/nowhere/at-all"], "", 8, "No such file"),
    (["owner", "import", "-"], "", 8, "it is empty"),
    (["owner", "import", "-"], "bplist00", 8, "plutil"),
    (["owner", "import", "-"], file([(uuid, "a", "00")]), 8, "entry 1 (a): masterKey has 1 bytes"),
    (
      ["owner", "import", "-"], file([(uuid, "a", String(key.dropLast(2)) + "ff")]), 8,
      "a different key"
    ),
    (
      ["owner", "import", "-"],
      file([("11111111-98c3-4d5c-9f0e-2d2a6b1c3e4f", "twin", key)]), 8,
      "entry 1 (twin): it has the same key as keys"
    ),
    (["owner", "import", "-"], #"{"format":"luna-devices","version":7}"#, 8, "version 7"),
    (["owner", "packages", "keys", "--hours", "0"], "", 2, "--hours"),
    (["owner", "packages", "keys", "--at", "1960-01-01"], "", 2, "before 1970"),
    (["owner", "packages", "keys", "--command", "factoryReset"], "", 2, "--command"),
    (["owner", "packages", "keys", "--command", "ping", "--seconds", "3"], "", 2, "--seconds"),
    (["owner", "export", "/nowhere/at-all"], "", 7, "cannot write"),
    (["owner", "list", "--state", "/dev/null"], "", 4, "/dev/null"),
    (["owner", "list", "--where"], "", 2, "no backend is named"),
    (
      ["owner", "events", "keys", "--from", "2100-01-01", "--backend", "http://127.0.0.1:1"], "", 2,
      "--from is in the future"
    ),
    (
      ["owner", "events", "keys", "--from", "today", "--backend", "http://127.0.0.1:1"], "", 8,
      "luna login"
    ),
    (["owner", "list", "--where", "--backend", "luna.example"], "", 2, "not a URL"),
  ]

  @Test(arguments: errors)
  func namesWhatIsWrong(words: [String], input: String, code: Int32, text: String) async throws {
    try await importTwo()
    let answer = try await luna.run(words, input: input)
    #expect(answer.code == code)
    #expect(answer.errors.contains(text), "\(answer.errors)")
    #expect(answer.errors.split(separator: "\n").count == 1)
    #expect(!answer.errors.contains("0001020304"))
    #expect(try await luna.run(["owner", "list"]).lines.count == 2, "nothing was changed")
  }

  @Test func makesPackagesOnce() async throws {
    try await importTwo()
    let words = ["owner", "packages", "keys", "--hours", "24", "--seconds", "10"]
    let first = try await luna.run(words + ["--at", "1700000100"])
    // 85 for the day; its clock was not heard for months, and may be off by two periods either way.
    #expect(first.lines.count == 89)
    // The anchor of PROTOCOL.md, 18.
    #expect(
      first.lines.first { $0["keyRollingCounter"] as? Int == 1_660_156 }?["data"] as? String
        == "AQEACgAZVPygmGcRRxhUEUHtYGZM6Iy7ZVPxZBdHAKLUq/nNAc56xnWSSM8=")
    let second = try await luna.run(words + ["--at", "1700000100"])
    #expect(Set(second.lines.map { $0["counter"] as? Int }) == [1_700_000_101])
  }

  @Test func keepsKeysUnderAPassphrase() async throws {
    try await importTwo()
    let passphrase = try luna.file("luna.passphrase", "correct horse\n")
    let wrong = try luna.file("wrong", "battery staple\n")
    #expect(try await luna.run(["owner", "seal", "--new-passphrase-file", passphrase]).code == 0)
    let without = try await luna.run(["owner", "list"])
    #expect(without.code == 4)
    #expect(without.errors.contains("--passphrase-file"))
    let refused = try await luna.run(["owner", "list", "--passphrase-file", wrong])
    #expect(refused.code == 4)
    #expect(refused.errors.contains("not the passphrase"))
    for (words, environment) in [
      (["--passphrase-file", passphrase], [:]), ([], ["CREDENTIALS_DIRECTORY": luna.directory]),
    ] {
      let answer = try await luna.run(["owner", "list"] + words, environment: environment)
      #expect(answer.lines.count == 2)
      #expect(!answer.errors.contains("correct"))
    }
    #expect(try await luna.run(["owner", "unseal", "--passphrase-file", passphrase]).code == 0)
    #expect(try await luna.run(["owner", "list"]).lines.count == 2)
  }
}
