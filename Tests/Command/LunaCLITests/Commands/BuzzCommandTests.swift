import Foundation
import Testing

struct BuzzCommandTests {
  private static let key = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
  private static let devices =
    #"{"format":"luna-devices","version":1,"devices":[{"uuid":"0f14a7c4-98c3-4d5c-9f0e-2d2a6b1c3e4f","#
    + #""name":"keys","masterKey":"\#(key)","onboardingTimestamp":1690000000}]}"#
  /// The anchor of PROTOCOL.md, 18.
  private static let package =
    #"{"heid":"a09867114718541141ed60664ce88cbb","keyRollingCounter":1660156,"#
    + #""command":"buzzStart","argument":10,"counter":1700000100,"#
    + #""data":"AQEACgAZVPygmGcRRxhUEUHtYGZM6Iy7ZVPxZBdHAKLUq/nNAc56xnWSSM8="}"#

  private let luna: Luna

  init() async throws {
    luna = try Luna()
    let answer = try await luna.run(["owner", "import", "-"], input: Self.devices)
    #expect(answer.code == 0)
  }

  static let usage: [([String], Int32, String)] = [
    (["buzz"], 2, "DEVICE|ADDRESS is missing"),
    (["buzz", "keys", "--seconds", "0"], 2, "--seconds"),
    (["buzz", "keys", "--seconds", "61"], 2, "--seconds"),
    (["buzz", "keys", "--seconds", "5", "--stop"], 2, "--stop"),
    (["buzz", "keys", "--any", "--package", "-"], 2, "--package"),
    (["buzz", "keys", "--format", "csv"], 2, "csv"),
    (["buzz", "keys", "--speed", "5"], 2, "--epoch"),
    (["buzz", "keys", "-i", "hci0,hci1"], 2, "repeat -i"),
    (["buzz", "keys", "-i", "hci0", "--radio", "virtual"], 2, "nothing beside --radio virtual"),
    (["buzz", "wallet"], 1, "there is no device \"wallet\""),
    (["buzz", "--any", "12:34"], 2, "\"12:34\" is no address; luna scan --trackers shows"),
    (["owner", "ping", "wallet"], 1, "there is no device"),
    (["owner", "ping", "C0:FF:EE:00:00:01"], 2, "not an address"),
    (["owner", "reset", "keys"], 2, "--yes"),
    (["buzz", "keys", "--package", "/nowhere/at-all"], 8, "No such file"),
    (["identify", "nonsense"], 2, "is no address"),
    (["identify", "keys"], 2, "is no address"),
    (["identify", "C0:FF:EE:00:00:01", "--radio", "h4:/nowhere/at-all"], 3, "/nowhere/at-all"),
    (["buzz", "keys", "--radio", "h4:/nowhere/at-all"], 3, "/nowhere/at-all"),
  ]

  @Test(arguments: usage)
  func saysWhatIsWrong(words: [String], code: Int32, text: String) async throws {
    let answer = try await luna.run(words)
    #expect(answer.code == code, "\(answer.errors)")
    #expect(answer.errors.contains(text), "\(answer.errors)")
    #expect(!answer.errors.contains("0001020304"))
  }

  static let files: [(String, String)] = [
    ("", "there is no package"), ("{", "not JSON"), ("[]", "there is no package"),
    ("[7]", "package 1: it is not an object"), ("{}", "package 1: the text data is missing"),
    (package.replacingOccurrences(of: "AQEACg", with: "AgEACg"), "format 1"),
    (package.replacingOccurrences(of: "SM8=", with: "SM8"), "44 bytes"),
    (package.replacingOccurrences(of: ":10,", with: ":11,"), "argument is not what data says"),
    (package.replacingOccurrences(of: "a09867", with: "a19867"), "heid is not what data says"),
    (package.replacingOccurrences(of: "1660156", with: "1660157"), "keyRollingCounter"),
    (package.replacingOccurrences(of: "buzzStart", with: "blink"), "command is not"),
    (package.replacingOccurrences(of: "1700000100", with: "1700000101"), "counter is not"),
    (package.replacingOccurrences(of: ":10,", with: ":\"10\","), "argument is missing"),
    (package + "\n" + "{\"heid\"", "not JSON"), (package + "\n{}", "package 2"),
  ]

  @Test(arguments: files)
  func refusesPackagesThatWereAltered(text: String, problem: String) async throws {
    let path = try luna.file("packages.json", text)
    let answer = try await luna.run(["buzz", "keys", "--package", path, "--radio", "virtual"])
    #expect(answer.code == 8, "\(answer.errors)")
    #expect(answer.errors.contains(problem), "\(answer.errors)")
  }

  /// The address of one in the simulated room.
  private func address(of family: String) async throws -> String {
    let scan = try await luna.run([
      "scan", "--radio", "virtual", "-c", "1", "--filter", family, "--format", "jsonl",
    ])
    let tag = try #require(scan.lines.first { $0["type"] as? String == "advertisement" })
    return try #require(tag["address"] as? String)
  }

  static let refused: [([String], String, String)] = [
    (["buzz", "--any"], "smarttag", "SmartThings app"), (["buzz", "--any"], "tile", "Tile app"),
    (["identify"], "smarttag", "SmartThings app"), (["identify"], "tile", "Tile app"),
  ]

  /// What its maker lets only its own app do is said when it is heard, with what a person can do: it is not what is said
  /// of one that could not be reached.
  @Test(arguments: refused)
  func saysAtOnceWhatObeysItsAppAlone(words: [String], family: String, app: String) async throws {
    let address = try await address(of: family)
    let answer = try await luna.run(words + [address, "--radio", "virtual", "--format", "jsonl"])
    #expect(answer.code == 1, "\(answer.errors)")
    let failed = try #require(answer.lines.first { $0["event"] as? String == "failed" })
    #expect(failed["kind"] as? String == "notOffered")
    #expect((failed["reason"] as? String)?.contains(app) == true, "\(failed)")
    #expect((failed["hint"] as? String)?.contains("luna scan") == true, "\(failed)")
  }

  /// Without --any, too, what obeys only its maker's app is called that, and nobody is sent to --any for it.
  @Test func sendsNobodyToAnyInVain() async throws {
    let address = try await address(of: "smarttag")
    let answer = try await luna.run(["buzz", address, "--radio", "virtual"])
    #expect(answer.code == 1)
    #expect(answer.errors.contains("SmartThings"), "\(answer.errors)")
    #expect(!answer.errors.contains("--any"), "\(answer.errors)")
  }

  /// One package, several, or one on each line: they are taken, and then nobody is there.
  @Test func takesPackagesInEveryForm() async throws {
    for text in [Self.package, "[\(Self.package)]", "\(Self.package)\n\(Self.package)\n"] {
      let path = try luna.file("packages.json", text)
      let answer = try await luna.run([
        "buzz", "keys", "--package", path, "--radio", "virtual", "-T", "1s", "--format",
        "jsonl",
      ])
      #expect(answer.code == 1)
      #expect(answer.lines.first?["type"] as? String == "start")
      #expect(answer.lines.first?["simulated"] as? Bool == true)
      let failed = try #require(answer.lines.first { $0["event"] as? String == "failed" })
      #expect(failed["kind"] as? String == "notHeard")
      #expect(answer.lines.last?["type"] as? String == "error")
      #expect(answer.lines.last?["code"] as? Int == 1)
    }
  }
}
