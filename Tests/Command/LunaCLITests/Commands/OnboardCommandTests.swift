import Foundation
import Testing

/// `luna onboard` in the simulated room of a seed whose tracker in factory state accepts connections
/// from the start.
@Suite(.timeLimit(.minutes(10)))
struct OnboardCommandTests {
  private static let radio = ["--radio", "virtual:3"]
  private let luna: Luna

  init() throws { luna = try Luna() }

  /// The code of the tracker that waits in the room.
  private func code() async throws -> String {
    let list = try await luna.run(["tracker", "list", "--codes"] + Self.radio)
    let new = try #require(list.lines.first { $0["state"] as? String == "factory" })
    return try #require(new["code"] as? String)
  }

  @Test func onboardsTheTrackerThatTheCodeBelongsTo() async throws {
    let code = try await code()
    let file = try luna.file("label", "Luna tracker\n\(code.lowercased())\n")
    let answer = try await luna.run(
      ["onboard", "--code-file", file, "--name", "Keys"] + Self.radio)
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(answer.lines.first?["type"] as? String == "start")
    #expect(answer.lines.first?["simulated"] as? Bool == true)
    let events = answer.lines.dropFirst()
    #expect(events.allSatisfy { $0["type"] as? String == "onboarding" })
    #expect(events.map { $0["event"] as? String } == ["discoveredConnectable", "onboarded"])
    let device = try #require(events.last?["device"] as? String)
    #expect(events.last?["name"] as? String == "Keys")
    let list = try await luna.run(["owner", "list"])
    #expect(list.lines.map { $0["device"] as? String } == [device])
    let text = answer.output + answer.errors
    #expect(!text.contains(code.dropFirst(6)), "the code is told")
  }

  @Test func findsAndChangesNothingInADryRun() async throws {
    let answer = try await luna.run(
      ["onboard", "--code", try await code(), "--dry-run"] + Self.radio)
    #expect(answer.code == 0)
    #expect(answer.lines.last?["event"] as? String == "discoveredConnectable")
    #expect(answer.errors.contains("nothing was changed"))
    #expect(try await luna.run(["owner", "list"]).lines.isEmpty)
  }

  @Test func refusesWithoutACodeAndATerminal() async throws {
    let answer = try await luna.run(["onboard", "--format", "jsonl"] + Self.radio)
    #expect(answer.code == 2)
    #expect(answer.errors.contains("cannot be authenticated"))
    #expect(answer.errors.contains("--unauthenticated"))
    #expect(answer.lines.last?["type"] as? String == "error")
  }

  @Test func wantsTheButtonWithoutACode() async throws {
    let answer = try await luna.run(["onboard", "--unauthenticated"] + Self.radio)
    #expect(answer.code == 1)
    #expect(answer.errors.contains("button"))
  }

  @Test func pressesTheButtonOfATrackerOfTheRoom() async throws {
    let answer = try await luna.run(
      ["onboard", "--unauthenticated", "--name", "Found"] + Self.radio,
      input: "button Nobody\nbutton New\n")
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(answer.errors.contains("\"button Nobody\" is not a tracker command"))
    #expect(answer.lines.last?["event"] as? String == "onboarded")
    #expect(answer.lines.last?["unauthenticated"] as? Bool == true)
  }

  @Test func onboardsTheOnlyTrackerOfTheStateDirectory() async throws {
    for name in ["Mine", "Other"] {
      _ = try await luna.run(
        ["tracker", "create", name] + (name == "Mine" ? ["--onboardable"] : []))
    }
    // The one of the seed, which would make it ambiguous, stays away.
    let answer = try await luna.run(
      ["onboard", "--unauthenticated", "--name", "Found", "-v"] + Self.radio,
      input: "button Mine\n")
    #expect(answer.code == 0, "\(answer.errors)")
    let list = try await luna.run(["tracker", "list"])
    let mine = try #require(list.lines.first { $0["tracker"] as? String == "Mine" })
    #expect(mine["state"] as? String == "keyed")
    let device = try #require(answer.lines.last?["device"] as? String)
    #expect((mine["device"] as? String)?.uppercased() == device)
  }

  @Test func saysThatNoTrackerHasTheCode() async throws {
    let zero = "LUNA1:" + String(repeating: "0", count: 27)
    let answer = try await luna.run(["onboard", "--code", zero, "--wait", "3s"] + Self.radio)
    #expect(answer.code == 1)
    #expect(answer.errors.contains("no tracker has this code"))
  }

  /// `--wait` is how long, here as in `identify` and `owner buzz`; a time of day is for `-T`.
  @Test func waitsALengthOfTime() async throws {
    let answer = try await luna.run(
      ["onboard", "--unauthenticated", "--wait", "15:00"] + Self.radio)
    #expect(answer.code == 2)
    #expect(answer.errors.contains("--wait") && answer.errors.contains("15:00"), "\(answer)")
  }

  /// All of it, be the search given more.
  @Test(arguments: [["-T", "3s"], ["--wait", "10m", "-T", "3s"]])
  func givesUpWhenTheTimeIsOver(words: [String]) async throws {
    let zero = "LUNA1:" + String(repeating: "0", count: 27)
    let answer = try await luna.run(["onboard", "--code", zero] + words + Self.radio)
    #expect(answer.code == 1, "\(answer.errors)")
    #expect(answer.errors.contains("no tracker has this code"))
  }

  static let wrong: [([String], Int32, String)] = [
    (["--code", "LUNA1:0024H36H2NCSVRH6DAQF6DVVQZX"], 2, "mistyped"),
    (["--code", "LUNA1:0024-H36H!NCSVRH6DAQF6DVVQZW"], 2, "character 9 behind LUNA1: is mistyped"),
    (["--code", "LUNA1:0024-H36H2NCSVRH6DAQF6DVVQZWX"], 2, "is 28, not 27"),
    (["--code", "LUNA1:0"], 2, "is 1, not 27"),
    (["--code", "secret"], 2, "LUNA1:"),
    (["--code-file", "/nowhere/at-all"], 8, "No such file"),
    (["--code-file", "/dev/null"], 8, "holds no code"),
    (["--qr", "/nowhere/at-all.png"], 8, "No such file"),
    (["--code-file", "x", "--qr", "y"], 2, "--qr"),
    (["--code-file", "x", "--unauthenticated"], 2, "--unauthenticated"),
    (["--name", ""], 2, "--name"),
    (["--format", "csv"], 2, "csv"),
    (["C0:FF:EE"], 2, "ADDRESS"),
  ]

  @Test(arguments: wrong)
  func namesWhatIsWrong(words: [String], code: Int32, text: String) async throws {
    let answer = try await luna.run(["onboard"] + words + Self.radio)
    #expect(answer.code == code)
    #expect(answer.errors.contains(text), "\(answer.errors)")
    #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
    #expect(!answer.errors.contains("secret") && !answer.errors.contains("NCSVRH6D"))
  }

  @Test(arguments: [
    ("LUNA1:0024H36H2NCSVRH6DAQF6DVVQZX", "in line 2 a character is mistyped"),
    ("LUNA1:0024H36H2NCSVRH6DAQF6DVVUZW", "in line 2 character 25 behind LUNA1: is mistyped"),
    ("LUNA1:0024H36H2NCSVRH6DAQF6DVVQZ", "in line 2 it is mistyped: the number of characters"),
  ])
  func saysWhereAFileHasAMistypedCode(code: String, words: String) async throws {
    let file = try luna.file("label", "Luna tracker\r\n\(code)\r\n")
    let answer = try await luna.run(["onboard", "--code-file", file] + Self.radio)
    #expect(answer.code == 8)
    #expect(answer.errors.contains(words), "\(answer.errors)")
    #expect(!answer.errors.contains("NCSVRH6D"))
  }

  /// A directory with a program called zbarimg that does this.
  private func zbarimg(_ script: String) throws -> [String: String] {
    let directory = luna.directory + "/bin"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let path = directory + "/zbarimg"
    try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return ["PATH": directory + ":/usr/bin:/bin"]
  }

  @Test func readsTheCodeFromAPicture() async throws {
    let picture = try luna.file("label.png", "")
    let script = """
      case "$*" in *qrcode.enable*label.png) ;; *) exit 1;; esac
      echo https://example.com/; echo '\(try await code())'
      """
    let answer = try await luna.run(
      ["onboard", "--qr", picture, "--dry-run"] + Self.radio, environment: try zbarimg(script))
    #expect(answer.code == 0, "\(answer.errors)")
  }

  @Test func saysWhyAPictureDoesNotHelp() async throws {
    let picture = try luna.file("label.png", "")
    for (script, code, text): (String, Int32, String) in [
      ("exit 4", 8, "no QR code"), ("echo hello", 8, "is not a tracker's"),
      ("exit 1", 8, "zbarimg cannot read"),
    ] {
      let answer = try await luna.run(
        ["onboard", "--qr", picture] + Self.radio, environment: try zbarimg(script))
      #expect(answer.code == code)
      #expect(answer.errors.contains(text), "\(answer.errors)")
    }
    let without = try await luna.run(
      ["onboard", "--qr", picture] + Self.radio,
      environment: ["PATH": luna.directory])
    #expect(without.code == 2)
    #expect(without.errors.contains("apt install zbar-tools"))
  }

  @Test func createsATrackerWithItsCodeInAFile() async throws {
    let path = luna.directory + "/code"
    let created = try await luna.run(["tracker", "create", "Keys", "--code-file", path])
    #expect(created.code == 0)
    #expect(created.lines[0]["state"] as? String == "factory")
    #expect(created.lines[0]["code"] == nil)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let code = try String(contentsOfFile: path, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try await luna.run(["tracker", "list"]).lines[0]["code"] == nil)
    let listed = try await luna.run(["tracker", "list", "--codes"])
    #expect(listed.lines[0]["code"] as? String == code)
    // It is in the room, and belongs to it.
    let found = try await luna.run(["onboard", "--code-file", path, "--dry-run"] + Self.radio)
    #expect(found.code == 0, "\(found.errors)")
  }
}
