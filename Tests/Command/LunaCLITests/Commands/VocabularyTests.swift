import Foundation
import Testing

/// The field names and types of every line type, over the commands: one word means one thing
/// everywhere. `Vocabulary.txt` has them; a field that is new or changed has to be written there.
@Suite(.timeLimit(.minutes(10)))
struct VocabularyTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Vocabulary.txt")

  /// Names that had another meaning, or another name for the same, in schema 1.
  private static let retired: Set<String> = [
    "identifier", "receivedAt", "collectedAt", "batteryStatus", "batteryLevel", "clockError",
    "firstTime", "lastTime", "role",
  ]

  private let luna: Luna

  init() throws { luna = try Luna() }

  @Test func everyLineKeepsToIt() async throws {
    var recording = try TrackerRecording()
    for seconds in stride(from: 500.0, to: 780, by: 40) {
      recording.hear(TrackerRecording.period, at: seconds)
    }
    recording.hearForeign(at: 800)
    let path = luna.directory + "/night.btsnoop"
    try recording.write(to: path)
    let code = try luna.file("key", String(repeating: "07", count: 32))
    _ = try await luna.run(["owner", "import", "-"], input: TrackerRecording.keys)
    let commands: [[String]] = [
      ["scan", "-r", path], ["scan", "-r", path, "--summary"],
      ["scan", "--radio", "virtual:7", "-c", "60"],
      ["decode", "02010603030418"], ["decode", "xyz"],
      ["keys", "--master-key-file", code, "--secrets"],
      ["local", "-r", path], ["owner", "list"], ["owner", "show", "Keys"],
      ["owner", "packages", "Keys", "--hours", "1"],
      ["tracker", "create", "one"], ["tracker", "list", "--codes"],
      ["tracker", "create", "--onboardable", "two"],
      ["tracker", "run", "one", "--radio", "virtual", "-T", "1s"],
      ["tracker", "reset", "one"], ["tracker", "list", "--radio", "virtual:7"],
      ["backend", "token", "create", "owner", "me"], ["backend", "token", "list"],
      ["backend", "enroll", "kitchen"],
      [
        "report", "seal", "--eid", "b6e7b607bdc2304a", "--aotp", "e5c80134244020",
        "--esf", "ba7759", "--latitude", "52", "--longitude", "13",
      ],
      ["finder", "status"],
      [
        "buzz", "Keys", "--radio", "virtual:7", "-T", "1s",
      ],
      ["onboard", "--dry-run", "--unauthenticated", "--radio", "virtual:7", "-T", "5s"],
      ["owner", "rename", "Keys", "Bag"],
    ]
    var found: Set<String> = []
    for words in commands {
      let hasFormat = !["decode", "keys", "tracker"].contains(words[0]) && words[1] != "packages"
      let answer = try await luna.run(words + (hasFormat ? ["--format", "jsonl"] : []))
      for line in answer.lines {
        let type = try #require(line["type"] as? String, "\(words)")
        for (name, value) in line where name != "type" {
          found.insert("\(type) \(name) \(Self.form(value))")
          #expect(!Self.retired.contains(name), "\(words): \(name)")
          if name == "beacons" {
            #expect((value as? [[String: Any]])?.allSatisfy { $0["beacon"] is String } == true)
          }
        }
        if type == "end" {
          #expect(line["dropped"] is [String: Any] && line["seconds"] is NSNumber)
        }
        if type == "start" { #expect(line["schema"] as? Int == 2, "\(words)") }
        if let time = line["onboardingTimestamp"] {
          #expect((time as? String)?.hasSuffix("Z") == true)
        }
      }
    }
    for words in [
      ["scan", "-r", path], ["scan", "--radio", "virtual:7", "-c", "9"], ["local", "-r", path],
    ] {
      let lines = try await luna.run(words + ["--format", "jsonl"]).lines
      #expect(lines.first?["type"] as? String == "start", "\(words)")
      #expect(lines.last?["type"] as? String == "end", "\(words)")
      #expect(lines.filter { $0["type"] as? String == "end" }.count == 1, "\(words)")
    }
    if ProcessInfo.processInfo.environment["LUNA_RECORD_VOCABULARY"] != nil {
      try (found.sorted().joined(separator: "\n") + "\n")
        .write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let known = Set(
      try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init))
    #expect(found.subtracting(known).sorted() == [], "not in Vocabulary.txt")
    let types = { (lines: Set<String>) in Set(lines.map { $0.prefix { $0 != " " } }) }
    // Whether these are printed depends on the time that a run takes, and on losses.
    let occasional: Set<Substring> = ["connectable", "dropped", "end", "state"]
    let missing = types(known).subtracting(types(found)).subtracting(occasional)
    #expect(missing.sorted() == [], "no longer printed")
  }

  @Test func whatIsNotKnownIsAnEmptyCell() async throws {
    _ = try await luna.run(["owner", "import", "-"], input: TrackerRecording.keys)
    let answer = try await luna.run(["owner", "list", "--format", "csv"])
    #expect(answer.output.split(separator: "\n").last?.hasSuffix(",,") == true, "\(answer.output)")
  }

  private static func form(_ value: Any) -> String {
    switch value {
    case is NSNull: return "null"
    case let number as NSNumber:
      return isBoolean(number) ? "boolean" : "number"
    case is String: return "string"
    case is [Any]: return "array"
    default: return "object"
    }
  }

  private static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c"
  }
}
