import Foundation
import LunaAccount
import LunaCore
import LunaTesting
import Testing

@testable import LunaCLI

/// Every command against every fault that it can meet here: the exit code of the contract, one line
/// on standard error, nothing on standard output unless JSON lines were asked for by name.
@Suite(.timeLimit(.minutes(10)))
struct ExitCodeTests {
  struct Fault: CustomTestStringConvertible, Sendable {
    let words: String
    let code: Int32
    /// What standard error has in it.
    let said: String

    init(_ words: String, _ code: Int32, _ said: String) {
      self.words = words
      self.code = code
      self.said = said
    }

    var testDescription: String { words }
  }

  private static let room = "--radio virtual:7"

  static let faults: [Fault] = [
    // A malformed value, a file that exists, a name that means nothing.
    Fault("scan --bogus", 2, "--bogus"),
    Fault("scan --radio nonsense", 2, "radio path"),
    Fault("scan --config MISSING", 2, "--config"),
    Fault("capture \(room) -w air.btsnoop --keep 3", 2, "--rotate"),
    Fault("capture \(room) -w air.btsnoop --rotate 0M", 2, "--rotate"),
    Fault("capture \(room) -w air.btsnoop --rotate 1500ms", 2, "whole number of seconds"),
    Fault("capture \(room) -w /dev/null --rotate 1h", 2, "ending"),
    Fault("capture \(room) -w - --rotate 1h", 2, "no ordinary file"),
    Fault("onboard \(room) --code LUNA2:1", 2, "begin with LUNA1:"),
    Fault("scan \(room) -i hci0", 2, "means nothing beside"),
    Fault("local \(room) --webhook http://b.example", 2, "--webhook-allow-plain-http"),
    Fault("tracker run x --radio virtual --exec-on mode", 2, "needs --exec"),
    Fault("identify nonsense \(room)", 2, "address"),
    Fault("report open --master-key-file MISSING --heid x --esf y z", 2, "--heid"),
    Fault("keys", 2, "the key is missing"),
    Fault("home export --day tomorrow", 2, "today or yesterday"),
    Fault("finder \(room) --location nowhere", 2, "--location"),
    Fault("finder \(room) -w air.btsnoop", 2, "-w"),
    Fault("finder \(room) -c 3", 2, "-c"),
    Fault("finder \(room) --location static:1,2 --once --backend nonsense", 2, "not a URL"),
    Fault("finder enroll --backend http://a@b --code-file CODE", 2, "user name"),
    Fault("finder enroll --backend ftp://b --code-file CODE", 2, "https"),
    Fault("finder enroll --backend http://b.example --code-file CODE", 2, "--allow-plain-http"),
    Fault("finder enroll --backend CLOSED --code-file CODE --token-file EXISTS", 2, "--force"),
    Fault("owner events Keys --from 2026-01-01 --backend nonsense", 2, "not a URL"),
    Fault(
      "owner events Keys --from 2026-01-01 --to 2025-01-01 --backend CLOSED", 2, "ends before"),
    Fault("owner events Keys --from 2026-01-01", 2, "--backend"),
    Fault("owner export EXISTS", 2, "--force"),
    Fault("tracker export \(room) EXISTS", 2, "--force"),
    Fault("tracker create --code-file EXISTS x", 2, "--force"),
    Fault("backend token create owner me --out EXISTS", 2, "--force"),
    Fault("demo --picture EXISTS", 2, "--force"),
    Fault("scan \(room) -T 1s -w EXISTS.btsnoop", 2, "--force"),
    Fault("capture \(room) -T 1s -w EXISTS.btsnoop", 2, "--force"),
    Fault("capture \(room) -T 1s -w x.txt", 2, "ending"),
    Fault("backend --listen 127.0.0.1:99999", 2, "HOST:PORT"),
    // Not there.
    Fault("owner show nonsense", 1, "nonsense"),
    Fault("backend token revoke nonsense", 1, "nonsense"),
    Fault("scan -r RECORDING --filter rssi>20", 1, ""),
    Fault("rule why left-home", 1, "luna home run runs one"),
    Fault("home export", 1, "luna home run runs one"),
    Fault("home export --day yesterday", 1, "luna home run runs one"),
    // Output that cannot be written.
    Fault("owner export NODIR/file", 7, "make the directory"),
    Fault("owner export /dev/full", 7, "free some space"),
    Fault("tracker export \(room) NODIR/file", 7, "make the directory"),
    Fault("tracker create --code-file NODIR/file x", 7, "make the directory"),
    Fault("tracker create --code-file - x", 7, "./-"),
    Fault("backend token create owner me --out NODIR/file", 7, "make the directory"),
    Fault("backend token create owner me --out /dev/full", 7, "free some space"),
    Fault("demo --picture NODIR/file", 7, "make the directory"),
    Fault("scan \(room) -T 1s -w NODIR/file.btsnoop", 7, "make the directory"),
    Fault("capture \(room) -T 1s -w NODIR/file.btsnoop", 7, "make the directory"),
    // Input that cannot be read.
    Fault("scan -r MISSING", 8, "MISSING"),
    // What is there outlives a source that cannot be opened.
    Fault("scan -r MISSING -w EXISTS.btsnoop --force", 8, "MISSING"),
    Fault("capture -r MISSING -w EXISTS.btsnoop --force", 8, "MISSING"),
    Fault("scan --radio h4:/nowhere/at-all -w EXISTS.btsnoop --force", 3, "/nowhere/at-all"),
    Fault("capture --radio h4:/nowhere/at-all -w EXISTS.btsnoop --force", 3, "/nowhere/at-all"),
    Fault("scan -r CODE", 8, ""),
    Fault("local -r CODE", 8, ""),
    Fault("decode xyz", 8, ""),
    Fault("keys --master-key-file MISSING", 8, "MISSING"),
    Fault("keys --master-key-file CODE", 8, "master key"),
    Fault("owner import MISSING", 8, "MISSING"),
    Fault("owner import CODE", 8, ""),
    Fault("selftest --vectors CODE", 8, "vector"),
    Fault("onboard --qr MISSING \(room)", 8, "MISSING"),
    Fault("buzz Keys --package MISSING \(room)", 8, "MISSING"),
    Fault("finder enroll --backend CLOSED --code-file MISSING", 8, "MISSING"),
    // A backend that is not there.
    Fault(
      "owner events Keys --from 2026-01-01 --backend CLOSED --token-file CODE", 9, "CLOSED"),
    Fault("finder enroll --backend CLOSED --code-file CODE", 9, "CLOSED"),
  ]

  private let luna: Luna
  private let closed = ClosedPort()
  private let words: [String: String]

  init() async throws {
    luna = try Luna()
    var recording = try TrackerRecording()
    recording.hear(TrackerRecording.period, at: 500)
    try await recording.write(to: luna.directory + "/recording.btsnoop")
    words = [
      "CLOSED": closed.url, "MISSING": luna.directory + "/MISSING",
      "NODIR": luna.directory + "/NODIR",
      "CODE": try luna.file("code", "not-what-is-wanted\n"),
      "EXISTS.btsnoop": try luna.file("exists.btsnoop", "mine"),
      "EXISTS": try luna.file("exists", "mine"), "RECORDING": luna.directory + "/recording.btsnoop",
    ]
  }

  private func arguments(_ fault: Fault) -> [String] {
    fault.words.split(separator: " ").map { word in
      for (name, path) in words.sorted(by: { $0.key.count > $1.key.count })
      where word.hasPrefix(name) {
        return path + word.dropFirst(name.count)
      }
      return String(word)
    }
  }

  @Test(arguments: faults)
  func ends(_ fault: Fault) async throws {
    if fault.words.contains("Keys") {
      _ = try await luna.run(["owner", "import", "-"], input: TrackerRecording.keys)
    }
    let answer = try await luna.run(arguments(fault))
    #expect(answer.code == fault.code, "\(answer.errors)")
    let said = fault.said == "CLOSED" ? "127.0.0.1:\(closed.number)" : fault.said
    #expect(said.isEmpty || answer.errors.contains(said), "\(answer.errors)")
    #expect(!answer.lines.contains { $0["type"] as? String == "error" }, "\(answer.output)")
    #expect(try String(contentsOfFile: luna.directory + "/exists", encoding: .utf8) == "mine")
    #expect(
      try String(contentsOfFile: luna.directory + "/exists.btsnoop", encoding: .utf8) == "mine")
    let node = try FileManager.default.attributesOfItem(atPath: "/dev/full")
    #expect(node[.type] as? FileAttributeType == .typeCharacterSpecial)
  }

  @Test(arguments: [
    "scan -r MISSING --format jsonl", "scan --format=jsonl --bogus",
    "owner show nonsense --format jsonl", "identify nonsense --radio virtual:7 --format jsonl",
  ])
  func theLastLineIsTheErrorWhereThatIsAskedFor(_ text: String) async throws {
    let answer = try await luna.run(arguments(Fault(text, 0, "")))
    let line = try #require(answer.lines.last)
    #expect(line["type"] as? String == "error")
    #expect((line["code"] as? Int).map { Int32($0) } == answer.code)
    #expect(line["reason"] is String)
    #expect(answer.errors.split(separator: "\n").count >= 1)
  }

  @Test func whatToDoAboutAMistakeIsTheHint() async throws {
    let line = try await luna.run(["scan", "--format=jsonl", "--bogus"]).lines.last
    #expect(line?["reason"] as? String == "luna scan: unknown option '--bogus'")
    #expect(line?["hint"] as? String == "see 'luna scan --help'")
  }

  @Test(
    .enabled(if: geteuid() != 0, "root may look everywhere"),
    arguments: ["finder status", "telemetry status", "whoami", "notify list", "home export"])
  func whatMayNotBeSeenIsNotAbsent(_ text: String) async throws {
    let state = luna.directory + "/closed"
    mkdir(state, 0)
    // Nobody could look into it to remove it.
    defer { chmod(state, 0o700) }
    let answer = try await luna.run(arguments(Fault(text, 4, "")) + ["--state", state])
    #expect(answer.code == 4 && answer.output.isEmpty, "\(answer.errors)")
  }

  @Test(arguments: ["decode", "owner import -", "keys --master-key-file -"])
  func inputThatCannotBeReadIsNoEmptyOne(_ text: String) async throws {
    let answer = try await luna.run(arguments(Fault(text, 8, "")), inputFile: luna.directory)
    #expect(answer.code == 8 && answer.output.isEmpty)
    #expect(answer.errors.contains("standard input"), "\(answer.errors)")
  }

  @Test func nothingReplacesNoFile() async throws {
    #expect(try await luna.run(["home", "account", "add", "ada"]).code == 0)
    let answer = try await luna.run(
      ["home", "export", "--day", "2020-01-01", "-o", luna.directory + "/exists", "--force"])
    #expect(answer.code == 1, "\(answer.errors)")
    #expect(try String(contentsOfFile: luna.directory + "/exists", encoding: .utf8) == "mine")
  }

  /// Also where it is among what a finder tells while it works.
  @Test func whatEndsAFinderIsSaidOnce() async throws {
    let place = luna.directory + "/place"
    let queue = place + "/luna-finder-memory.data"
    try FileManager.default.createDirectory(atPath: queue, withIntermediateDirectories: true)
    let words = ["finder", "--location", "static:0,0", "--format", "jsonl", "--state", place]
    for (code, said) in [(Int32(8), "luna: cannot open "), (3, "luna: no controller at ")] {
      let answer = try await luna.run(words + ["--radio", "h4:/nowhere/at-all"])
      #expect(answer.code == code, "\(answer.errors)")
      let lines = answer.errors.split(separator: "\n")
      #expect(lines.count { $0.hasPrefix(said) } == 1, "\(answer.errors)")
      #expect(lines.last?.hasPrefix(said) == true, "\(answer.errors)")
      #expect(answer.lines.count { $0["type"] as? String == "problem" } == 1, "\(answer.output)")
      try? FileManager.default.removeItem(atPath: queue)
    }
  }

  @Test func everyErrorSaysWhoseItIs() async throws {
    let answer = try await luna.run(["telemetry", "log", ""])
    #expect(answer.errors.hasPrefix("luna: luna.event. is no key"), "\(answer.errors)")
  }

  @Test("Standard output that is full is an error of output")
  func fullOutput() async throws {
    let answer = try await luna.run(["decode", "020106"], output: "/dev/full")
    #expect(answer.code == 7)
    #expect(answer.errors.contains("free some space"))
  }

  @Test("A recording that is full is an error of output")
  func fullRecording() async throws {
    let path = luna.directory + "/full.btsnoop"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
    let answer = try await luna.run(["capture", "--radio", "virtual:7", "-w", path, "--force"])
    #expect(answer.code == 7)
    #expect(answer.errors.contains("free some space"), "\(answer.errors)")
  }

  @Test func aLibraryThatIsMissingIsNoServersFault() {
    var error = AccountError(.network, "the HTTP library is missing")
    #expect(ExitCode(error) == .backend)
    error.isLibrary = true
    #expect(ExitCode(error) == .lost)
  }

  @Test func whoIsKeptOutByAnotherProgramIsNotRefused() {
    #expect(ExitCode(BackendError.Kind.inUse) == .busy)
    #expect(ExitCode(BackendError.Kind.busy) == .backend)
  }

  @Test func whatMayNotBeReadIsAMatterOfPermission() {
    #expect(ExitCode(reading: EACCES) == .noPermission)
    #expect(ExitCode(reading: ENOENT) == .unreadableInput)
  }
}
