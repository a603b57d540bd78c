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
    "firstTime", "lastTime",
  ]

  private static let card =
    "LUNACARD:1:AY9Axa22jyViSuWyFOp2em7JTYKdPXteGtG6bz4hOChfA0Jlbg"

  private let luna: Luna

  init() throws { luna = try Luna() }

  /// What commands say, in the order of each row.
  private func answers(
    to rows: [[[String]]]
  ) async throws -> [(words: [String], answer: Luna.Answer)] {
    try await withThrowingTaskGroup(of: [(words: [String], answer: Luna.Answer)].self) {
      [luna] group in
      for (number, row) in rows.enumerated() {
        let environment = try number == 0 ? [:] : luna.beside("row\(number)")
        group.addTask {
          var answers: [(words: [String], answer: Luna.Answer)] = []
          for words in row {
            let hasFormat =
              !["decode", "keys", "tracker"].contains(words[0]) && words[1] != "packages"
            let answer = try await luna.run(
              words + (hasFormat ? ["--format", "jsonl"] : []), environment: environment)
            answers.append((words, answer))
          }
          return answers
        }
      }
      var all: [(words: [String], answer: Luna.Answer)] = []
      for try await answers in group { all += answers }
      return all
    }
  }

  @Test func everyLineKeepsToIt() async throws {
    var recording = try TrackerRecording()
    for seconds in stride(from: 500.0, to: 780, by: 40) {
      recording.hear(TrackerRecording.period, at: seconds)
    }
    recording.hearForeign(at: 800)
    let path = luna.directory + "/night.btsnoop"
    try await recording.write(to: path)
    let code = try luna.file("key", String(repeating: "07", count: 32))
    _ = try await luna.run(["owner", "import", "-"], input: TrackerRecording.keys)
    let mistaken = try luna.file("luna.conf", "[scan]\ntrackers = perhaps\nquiet = no\n")
    let side = try luna.file("side.json", "[[1,2,3,4],[1,2,3,4]]")
    let both = try luna.file(
      "both.json", #"{"original":[[1,2,3,4],[1,2,3,4]],"control":[[1,2,3],[1,2,3]]}"#)
    let apps = try luna.file(
      "app_list.json",
      #"{"apps":[{"name":"A","size":1,"time":2,"replayFile":"A","randomReplayFile":"B","appType":"C"}]}"#
    )
    let pair = "010.000.002.015.48080-208.085.042.032.00080"
    let replay = try luna.file(
      "recording.json",
      #"[[{"c_s_pair":"\#(pair)","timestamp":0.5,"payload":"00","response_len":9}],[],["\#(pair)"],"A"]"#
    )
    let home = try luna.file(
      "home.json",
      #"{"name":"Attic","plases":[],"rules":[{"id":"r","when":[{"message":"m"},"#
        + #"{"time":{"at":["08:00"]}}],"then":[{"ping":{}}]}],"exec":{"e":["echo","x"],"f":["false"]},"#
        + #""notifications":{"channels":[{"id":"e","type":"command","name":"e"},"#
        + #"{"id":"f","type":"command","name":"f"}]}}"#)
    let ring = #"{"type":"input","time":"2026-06-01T10:00:00Z","kind":"message","name":"m"}"#
    let day = try luna.file("day.jsonl", ring + "\n" + ring + "\n")
    // Somebody who is signed in, for years; nobody is asked.
    let state = luna.directory + "/signed-in"
    try FileManager.default.createDirectory(
      atPath: state + "/account", withIntermediateDirectories: true)
    _ = try luna.file(
      "signed-in/account/default.json",
      #"{"schema":1,"generation":1,"issuer":"http://127.0.0.1:1","clientId":"it","subject":"me","#
        + #""scope":"read","accessToken":"token","issuedAt":"2026-01-01T00:00:00Z","#
        + #""expiresIn":3000000000}"#)
    let scan = ["scan", "-r", path]
    let simulated = ["scan", "--radio", "virtual:7", "-c", "60"]
    let local = ["local", "-r", path]
    let shared = luna.directory + "/share"
    // One row runs beside the other: each has a state of its own, the first one that with the keys.
    let rows: [[[String]]] = [
      [
        local, ["watch", "-r", path], ["owner", "list"], ["owner", "show", "Keys"],
        ["owner", "packages", "Keys", "--hours", "1"],
        ["contact", "card", "--name", "me"],
        ["contact", "add", "ben", "--email", "ben@example.org", "--card", Self.card],
        [
          "share", "add", "Keys", "ben", "--rights", "ring", "--renew", "--yes",
          "-o", shared,
        ],
        ["contact", "list"], ["share", "list"],
        ["buzz", "Keys", "--radio", "virtual:7", "-T", "1s"], ["owner", "rename", "Keys", "Bag"],
      ],
      [
        scan, ["scan", "-r", path, "--summary"], ["scan", "-r", path, "--by", "family"],
        ["scan", "--list-values", "pdu"], ["decode", "02010603030418"], ["decode", "xyz"],
        ["keys", "--master-key-file", code, "--secrets"],
        ["whoami", "--state", state], ["token", "show", "--state", state],
        [
          "report", "seal", "--eid", "b6e7b607bdc2304a", "--aotp", "e5c80134244020",
          "--esf", "ba7759", "--latitude", "52", "--longitude", "13",
        ],
      ],
      [
        simulated,
        ["onboard", "--dry-run", "--unauthenticated", "--radio", "virtual:7", "-T", "5s"],
      ],
      [
        ["tracker", "create", "one"], ["tracker", "list", "--codes"],
        ["tracker", "create", "--onboardable", "two"],
        ["tracker", "run", "one", "--radio", "virtual", "-T", "3s"],
        ["tracker", "reset", "one"], ["tracker", "list", "--radio", "virtual:7"],
      ],
      [
        ["backend", "token", "create", "owner", "me"], ["backend", "token", "list"],
        ["backend", "enroll", "kitchen"], ["backend", "token", "create", "admin", "me"],
        ["account", "add", "ada", "--role", "admin"], ["account", "list"],
        ["account", "sessions", "ada"],
      ],
      [
        ["uplink", "results", "judge", side, side], ["uplink", "results", "import", both],
        ["uplink", "results"], ["uplink", "profiles"], ["uplink", "profiles", apps],
        ["uplink", "profiles", replay], ["uplink", "consent", "--accept"],
        ["uplink", "check", "--simulate", "fair"], ["uplink", "locate", "--simulate", "common"],
        ["uplink", "dpi", "--simulate", "name"],
      ],
      [
        ["home", "check", home], ["home", "show", home], ["home", "schema", "--keys"],
        ["rule", "list", "--file", home], ["rule", "list", "--time", "--file", home],
        ["rule", "test", "--file", home, "--replay", day],
        ["notify", "test", "--file", home, "e"], ["notify", "test", "--file", home, "f"],
        ["notify", "list"],
      ],
      [
        ["finder", "status"], ["config", "show", "--config", mistaken],
        ["config", "check", "--config", mistaken],
        ["doctor", "disk", "state", "location"], ["doctor", "--list"],
      ],
    ]
    var found: Set<String> = []
    for (words, answer) in try await answers(to: rows) {
      if [scan, simulated, local].contains(words) {
        #expect(answer.lines.first?["type"] as? String == "start", "\(words)")
        #expect(answer.lines.last?["type"] as? String == "end", "\(words)")
        let ends = answer.lines.filter { $0["type"] as? String == "end" }
        #expect(ends.count == 1, "\(words)")
      }
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
    if ProcessInfo.processInfo.environment["LUNA_RECORD_VOCABULARY"] != nil {
      try (found.sorted().joined(separator: "\n") + "\n")
        .write(to: Self.file, atomically: true, encoding: .utf8)
    }
    let known = Set(
      try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map(String.init))
    #expect(found.subtracting(known).sorted() == [], "not in Vocabulary.txt")
    let types = { (lines: Set<String>) in Set(lines.map { $0.prefix { $0 != " " } }) }
    // Whether these are printed depends on the time that a run takes, and on losses.
    let occasional: Set<Substring> = [
      "connectable", "dropped", "end", "onboarding", "prompt", "recovery", "state",
      // Nobody is signed in.
      "session",
      // There is no PostgreSQL.
      "agreed",
    ]
    let missing = types(known).subtracting(types(found)).subtracting(occasional)
    #expect(missing.sorted() == [], "no longer printed")
  }

  /// Columns are fields of the JSON lines, and times are as long as there. Those of a scan may also be fields of
  /// `beacons`, as for filters.
  @Test func columnsAreFieldsOfTheLines() async throws {
    var recording = try TrackerRecording()
    recording.hear(TrackerRecording.period, at: 500)
    let path = luna.directory + "/night.btsnoop"
    try await recording.write(to: path)
    _ = try await luna.run(["owner", "import", "-"], input: TrackerRecording.keys)
    _ = try await luna.run(["backend", "token", "create", "owner", "me"])
    _ = try await luna.run(["account", "add", "ada", "--role", "admin"])
    let home = try luna.file("home.json", #"{"name":"Attic","rules":[]}"#)
    let known = Set(
      try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n").map {
        $0.split(separator: " ").prefix(2).joined(separator: " ")
      })
    let lists: [(String, [String])] = [
      ("device", ["owner", "list"]), ("token", ["backend", "token", "list"]),
      ("account", ["account", "list"]), ("session", ["account", "sessions", "ada"]),
      ("advertiser", ["scan", "-r", path, "--summary"]),
      ("check", ["doctor", "disk"]), ("checkName", ["doctor", "--list"]),
      ("contact", ["contact", "list"]), ("share", ["share", "list"]),
      ("tracker", ["tracker", "list", "--codes"]), ("setting", ["config", "show", "local"]),
      ("notification", ["notify", "list"]), ("rule", ["rule", "list", "--file", home]),
      ("run", ["rule", "list", "--time", "--file", home]),
    ]
    for (type, words) in lists {
      let answer = try await luna.run(words + ["--format", "csv"])
      let rows = answer.output.split(separator: "\n").map(String.init)
      let head = try #require(rows.first, "\(words)")
      for name in head.split(separator: ",") {
        #expect(known.contains("\(type) \(name)"), "\(words): \(name)")
        #expect(!Self.retired.contains(String(name)), "\(words): \(name)")
      }
      for cell in rows.dropFirst().flatMap({ $0.split(separator: ",") })
      where cell.contains(/^20..-..-..T/) {
        #expect(cell.hasSuffix("Z"), "\(words): \(cell)")
      }
    }
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
