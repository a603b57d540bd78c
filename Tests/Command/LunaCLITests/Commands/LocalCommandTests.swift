import Foundation
import LunaTesting
import Testing

/// `luna local` as a user runs it: on recordings, on the simulated room, with sealed keys.
@Suite(.timeLimit(.minutes(10)))
struct LocalCommandTests {
  private let luna: Luna

  init() throws { luna = try Luna() }

  /// Has the keys of the tracker of ``TrackerRecording``.
  private func importKeys() async throws {
    #expect(try await luna.run(["owner", "import", "-"], input: TrackerRecording.keys).code == 0)
  }

  /// A recording in which everything happens, of 2,100 s.
  private func record() async throws -> String {
    var recording = try TrackerRecording()
    for seconds in stride(from: 500.0, to: 780, by: 40) {
      recording.hear(TrackerRecording.period, at: seconds)
    }
    for seconds in stride(from: 780.0, to: 1997, by: 40) {
      recording.hear(TrackerRecording.period + 1, at: seconds)
    }
    // A clock that is right has left that period by 1,996 s at the latest.
    recording.hear(TrackerRecording.period + 1, at: 1997)
    recording.hearForeign(at: 2100)
    let path = luna.directory + "/night.btsnoop"
    try await recording.write(to: path)
    return path
  }

  @Test func tellsWhatHappensInARecording() async throws {
    try await importKeys()
    let answer = try await luna.run(["local", "-r", try await record()])
    #expect(answer.code == 0, "\(answer.errors)")
    let lines = answer.lines
    #expect(lines.first?["type"] as? String == "start")
    #expect(lines.first?["schema"] as? Int == 2)
    let own = lines.filter { $0["device"] as? String == TrackerRecording.uuid }
    let events = own.compactMap { $0["event"] as? String }
    #expect(
      events == ["appeared", "batteryLow"] + Array(repeating: "seen", count: 6) + ["rotated"]
        + Array(repeating: "seen", count: 30) + ["drift", "timedOut"])
    let first = try #require(own.first)
    // The anchor of PROTOCOL.md, 18.
    #expect(first["eid"] as? String == "b6e7b607bdc2304a")
    #expect(first["heid"] as? String == "a09867114718541141ed60664ce88cbb")
    #expect(first["name"] as? String == "Keys")
    #expect(first["address"] as? String == "C0:00:00:19:54:FC")
    #expect(first["counter"] as? Int == 1_660_156)
    #expect(first["rssi"] as? Int == -61)
    #expect(first["time"] as? String == "2023-11-14T22:21:40.000000Z")
    #expect(first["expectedAt"] as? String == first["time"] as? String)
    #expect(first["drift"] as? Double == 0)
    #expect(first["batteryLow"] as? Bool == true)
    #expect(first["connectable"] as? Bool == false)
    let clock = try #require(first["clock"] as? [String: Any])
    #expect(clock["ppm"] as? Int == 200)
    #expect(clock["low"] as? Double == -2.1 && clock["high"] as? Double == 1.1)
    let drift = try #require(own.first { $0["event"] as? String == "drift" })
    #expect(drift["drift"] as? Double == 1.001)
    #expect(drift["expectedAt"] as? String == "2023-11-14T22:46:35.999000Z")
    #expect(answer.updates.last?["device"] is NSNull)
    #expect(answer.updates.last?["event"] as? String == "appeared")
  }

  @Test func aRecordingTeachesTheStoreNothing() async throws {
    try await importKeys()
    #expect(try await luna.run(["local", "-r", try await record()]).code == 0)
    let shown = try #require(try await luna.run(["owner", "show", "Keys"]).lines.first)
    #expect(shown["clock"] == nil && shown["lastSeenAt"] == nil)
  }

  @Test func durationAndCountEndIt() async throws {
    try await importKeys()
    let path = try await record()
    let short = try await luna.run(["local", "-r", path, "-T", "100s"])
    #expect(short.code == 0)
    #expect(short.updates.compactMap { $0["event"] as? String } == ["appeared", "seen", "seen"])
    let counted = try await luna.run(["local", "-r", path, "-c", "8"])
    #expect(counted.code == 0)
    #expect(counted.updates.count == 8)
    #expect(counted.updates.last?["event"] as? String == "rotated")
  }

  @Test func beginsWithAStartAndEndsWithAnEnd() async throws {
    try await importKeys()
    let recorded = try await luna.run(["local", "-r", try await record()])
    let end = try #require(recorded.lines.last)
    #expect(end["type"] as? String == "end")
    #expect(end["heard"] as? Int == 40 && end["shown"] as? Int == 40)
    #expect((end["dropped"] as? [String: Int])?.isEmpty == true)
    // From 500 s to 2,100 s, however quickly it was read.
    #expect(end["seconds"] as? Double == 1600)
    #expect(!recorded.lines.contains { $0["type"] as? String == "state" })
    let live = try await luna.run(["local", "--radio", "virtual:7", "-T", "2s"])
    #expect(live.lines.first?["type"] as? String == "start")
    let state = try #require(live.lines.first { $0["type"] as? String == "state" })
    #expect(state["state"] as? String == "listening" && state["adapter"] as? String == "virtual")
    #expect(live.lines.last?["type"] as? String == "end")
  }

  @Test func namedDevicesAreShownAlone() async throws {
    try await importKeys()
    let path = try await record()
    for name in ["keys", TrackerRecording.uuid, TrackerRecording.uuid.lowercased()] {
      let answer = try await luna.run(["local", name, "-r", path])
      #expect(answer.code == 0)
      #expect(answer.updates.allSatisfy { $0["device"] is String })
      #expect(answer.updates.count == 40)
    }
    // Where the named one is not, the code says so.
    var foreign = try TrackerRecording()
    foreign.hearForeign(at: 1)
    let elsewhere = luna.directory + "/foreign.btsnoop"
    try await foreign.write(to: elsewhere)
    let silent = try await luna.run(["local", "Keys", "-r", elsewhere])
    #expect(silent.code == 1 && silent.updates.isEmpty)
    #expect(try await luna.run(["local", "-r", elsewhere]).code == 0)
  }

  @Test func saysWhatIsWrong() async throws {
    let path = try await record()
    let unknown = try await luna.run(["local", "Keys", "-r", path, "--format", "jsonl"])
    #expect(unknown.code == 1)
    #expect(unknown.errors.contains("there is no device") && unknown.errors.contains("import"))
    let error = try #require(unknown.lines.last)
    #expect(error["type"] as? String == "error" && error["code"] as? Int == 1)
    try await importKeys()
    let damaged = try luna.file("damaged.btsnoop", "this is no recording at all")
    for (words, code, text) in [
      (["local", "-r", "/nowhere/at-all"], 8, "No such file"),
      (["local", "-r", damaged], 8, "seems to be text"),
      (["local", "--format", "csv", "-r", path], 2, "csv"),
      (["local", "--speed", "4", "-r", path], 2, "--epoch"),
      (["local", "-r", path, "--state", "/dev/null"], 4, "/dev/null"),
    ] as [([String], Int32, String)] {
      let answer = try await luna.run(words)
      #expect(answer.code == code, "\(words): \(answer.errors)")
      #expect(answer.errors.contains(text), "\(words): \(answer.errors)")
    }
    let full = try await luna.run(["local", "-r", path], output: "/dev/full")
    #expect(full.code == 7)
    #expect(full.errors.contains("No space left on device"))
  }

  @Test func followsWithSealedKeys() async throws {
    try await importKeys()
    let path = try await record()
    let passphrase = try luna.file("luna.passphrase", "correct horse\n")
    let wrong = try luna.file("wrong", "battery staple\n")
    #expect(try await luna.run(["owner", "seal", "--new-passphrase-file", passphrase]).code == 0)
    for (words, environment) in [
      (["--passphrase-file", passphrase], [:]), ([], ["CREDENTIALS_DIRECTORY": luna.directory]),
    ] {
      let answer = try await luna.run(
        ["local", "Keys", "-r", path] + words, environment: environment)
      #expect(answer.code == 0, "\(answer.errors)")
      #expect(answer.updates.count == 40)
    }
    let refused = try await luna.run([
      "local", "-r", path, "--passphrase-file", wrong, "--format", "jsonl",
    ])
    #expect(refused.code == 4)
    #expect(refused.errors.contains("not the passphrase"))
    #expect(refused.lines.last?["type"] as? String == "error")
    let without = try await luna.run(["local", "-r", path])
    #expect(without.code == 4)
    #expect(without.errors.contains("--passphrase-file"))
    for answer in [refused, without] {
      #expect(!answer.errors.contains("horse") && !answer.errors.contains("staple"))
    }
  }

  /// Time runs 400 times faster, so that a rotation takes 2.6 s.
  @Test func followsTheSimulatedRoom() async throws {
    let keys = luna.directory + "/room.json"
    #expect(try await luna.run(["tracker", "export", "--radio", "virtual:3", keys]).code == 0)
    #expect(try await luna.run(["owner", "import", keys]).code == 0)
    let epoch = "\(Int(Date().timeIntervalSince1970))"
    var (lines, own, errors) = ([[String: Any]](), [[String: Any]](), "")
    // Longer, where this machine is too slow for all of it.
    for seconds in [9, 30, 100, 300] {
      let answer = try await luna.run(
        [
          "local", "--radio", "virtual:3", "--speed", "400", "--epoch", epoch, "-T",
          "\(seconds)s",
        ])
      #expect(answer.code == 0, "\(answer.errors)")
      (lines, errors) = (answer.lines, answer.errors)
      own = lines.filter { $0["device"] is String }
      if Set(own.compactMap { $0["name"] as? String }) == ["Keys", "Bag", "Bicycle"],
        Set(own.compactMap { $0["event"] as? String })
          .isSuperset(of: ["appeared", "seen", "rotated"])
      {
        break
      }
    }
    #expect(lines.first?["simulated"] as? Bool == true)
    #expect(Set(own.compactMap { $0["name"] as? String }) == ["Keys", "Bag", "Bicycle"])
    let events = Set(own.compactMap { $0["event"] as? String })
    #expect(events.isSuperset(of: ["appeared", "seen", "rotated"]))
    #expect(own.allSatisfy { $0["provisional"] == nil })
    #expect(lines.contains { $0["device"] is NSNull })
    // What was learned is there for the next time.
    let shown = try #require(try await luna.run(["owner", "show", "Keys"]).lines.first)
    let last = own.last { $0["name"] as? String == "Keys" } ?? [:]
    #expect(
      shown["clock"] != nil && shown["lastSeenAt"] != nil, "\(shown); \(last); \(errors)")
  }

  /// A recording of the eighth day before, played in real time.
  @Test func aReplayedPeriodStaysProvisional() async throws {
    try await importKeys()
    var recording = try TrackerRecording()
    for step in 0..<60 {
      recording.hear(TrackerRecording.period + 170, at: 10 * 86_400 + 30 * Double(step))
    }
    let path = luna.directory + "/replay.pcapng"
    try await recording.write(to: path)
    let answer = try await luna.run(["local", "Keys", "-r", path])
    #expect(answer.code == 0)
    let lines = answer.updates.filter { $0["event"] as? String != "timedOut" }
    #expect(lines.count == 60)
    #expect(lines.allSatisfy { $0["provisional"] as? Bool == true })
    #expect(lines.allSatisfy { ($0["drift"] as? Double ?? 0) > 7.8 * 86_400 })
    // It is named once, with what to do.
    #expect(answer.errors.components(separatedBy: "identifiers of another time").count == 2)
    #expect(answer.errors.contains("timedatectl"))
  }

  @Test func aStateOfANewerVersionIsLeftAlone() async throws {
    try await importKeys()
    let file = URL(fileURLWithPath: luna.directory + "/luna/luna-finder-memory-devices.data")
    var data = try Data(contentsOf: file)
    // The user version in the header of SQLite's file format.
    data.replaceSubrange(60..<64, with: [0, 0, 0, 99])
    try data.write(to: file)
    let answer = try await luna.run(["local", "-r", try await record()])
    #expect(answer.code == 8)
    #expect(answer.errors.contains("99"))
    #expect(try Data(contentsOf: file) == data)
  }

  @Test(.enabled(if: SmallDisk.isPossible, "no small disk can be mounted"))
  func aFullDiskIsNamedAndTheScanGoesOn() async throws {
    let disk = try #require(SmallDisk())
    let state = disk.path + "/state"
    #expect(
      try await luna.run(["owner", "import", "-", "--state", state], input: TrackerRecording.keys)
        .code
        == 0)
    #expect(try await luna.run(["tracker", "create", "Bag", "--state", state]).code == 0)
    try disk.fill()
    for words in [["owner", "rename", "Keys", "Keyring"], ["tracker", "create", "Box"]] {
      let answer = try await luna.run(words + ["--state", state])
      #expect(answer.code != 0, "\(words)")
      #expect(answer.errors.contains("free some space"), "\(words): \(answer.errors)")
    }
    let local = try await luna.run(["local", "-r", try await record(), "--state", state])
    #expect(local.updates.count == 41 || local.errors.contains("free some space"))
    try disk.free()
    #expect(try await luna.run(["owner", "list", "--state", state]).lines.count == 1)
    #expect(try await luna.run(["tracker", "list", "--state", state]).lines.count == 1)
    #expect(
      try await luna.run(["local", "-r", try await record(), "--state", state]).updates.count == 41)
  }
}
