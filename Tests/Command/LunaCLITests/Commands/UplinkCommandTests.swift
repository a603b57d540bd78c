import Foundation
import LunaStore
import Testing

/// `luna uplink results judge` and `import`.
struct UplinkCommandTests {
  private let luna: Luna

  init() throws { luna = try Luna() }

  private func samples(_ rate: Double, count: Int = 31) -> String {
    let rates = (0..<count).map { "\(rate + Double($0) * 1e-6)" }
    let times = (0..<count).map { "\(Double($0) / 10)" }
    return "[[\(rates.joined(separator: ","))],[\(times.joined(separator: ","))]]"
  }

  private func judge(
    _ original: String, _ control: String, _ words: [String] = []
  ) async throws -> Luna.Answer {
    let original = try luna.file("original.json", original)
    let control = try luna.file("control.json", control)
    return try await luna.run(["uplink", "results", "judge", original, control] + words)
  }

  @Test func judgesByEachRule() async throws {
    for (rule, verdict) in [("ios", "throttled"), ("java", "fair"), ("server", "throttled")] {
      // One mean is 10 exactly: without the last sample, which is not counted.
      let ten =
        "[[\(String(repeating: "10,", count: 30))99],[\((0...30).map(String.init).joined(separator: ","))]]"
      let answer = try await judge(samples(6), ten, ["--rule", rule])
      #expect(answer.code == 0 && answer.errors.isEmpty)
      let line = try #require(answer.lines.first)
      #expect(line["type"] as? String == "judgement" && line["rule"] as? String == rule)
      #expect(line["verdict"] as? String == verdict, "\(rule)")
      #expect(abs(try #require(line["area"] as? Double) - 0.4) < 1e-5)
      #expect(line["ks2d"] as? Double == 1)
      #expect(try #require(line["ks2p"] as? Double) < 1e-10)
      #expect(line["ks2Ratio"] as? Double == 1)
    }
  }

  @Test func whatSaysNothingIsInconclusive() async throws {
    // As the client in Java sends it on a very fast link.
    let answer = try await judge("[[0],[0.12]]", "[[0],[0.12]]")
    #expect(answer.code == 0)
    #expect(answer.output == #"{"type":"judgement","rule":"ios","verdict":"inconclusive"}"# + "\n")
  }

  @Test func saysItForPeople() async throws {
    let answer = try await judge(samples(2), samples(8.9), ["--format", "table"])
    #expect(answer.output.hasPrefix("throttled, by the rule of ios\nThe original is 77.5 % slower"))
  }

  @Test(arguments: [
    "", "{}", "[[1,2],[1]]", "[[1,-2],[1,2]]", "[[1e999],[1]]", "[[NaN],[1]]", "[[],[]]",
    "[[1],[1]]\0",
    "[[\"1\"],[1]]",
    #"{"original":[[1],[1]],"control":[[1],[1]]}"#, String(repeating: "[", count: 10_000),
  ])
  func refusesBadFiles(_ text: String) async throws {
    for pair in [(text, "[[1,2],[1,2]]"), ("[[1,2],[1,2]]", text)] {
      let answer = try await judge(pair.0, pair.1, ["--format", "jsonl"])
      #expect(answer.code == 8, "\(text.prefix(40)): \(answer.errors)")
      #expect(answer.lines.last?["type"] as? String == "error")
      #expect(answer.lines.count == 1)
    }
  }

  @Test func refusesBadWords() async throws {
    #expect(try await judge("[[1,2],[1,2]]", "[[1,2],[1,2]]", ["--rule", "android"]).code == 2)
    #expect(try await luna.run(["uplink", "results", "judge", "/nowhere/a"]).code == 2)
    #expect(
      try await luna.run(["uplink", "results", "judge", "/nowhere/a", "/nowhere/b"]).code == 8)
  }

  @Test func keepsWhatIsImported() async throws {
    let both = #"{"original":\#(samples(2)),"control":\#(samples(8.9))}"#
    let path = try luna.file("both.json", both)
    let one = try await luna.run(["uplink", "results", "import", path])
    #expect(one.code == 0)
    let line = try #require(one.lines.first)
    let id = try #require(line["id"] as? String)
    #expect(id.wholeMatch(of: /[0-9a-f]{16}/) != nil)
    #expect(line["type"] as? String == "uplink" && line["simulated"] as? Bool == false)
    #expect(line["verdict"] as? String == "throttled")
    let original = try #require(line["original"] as? [String: Any])
    #expect(Set(original.keys) == ["area", "ks2d", "ks2p", "ks2Ratio", "verdict"])
    // One side has no verdict; for a person only the id is printed.
    let side = try await luna.run(
      ["uplink", "results", "import", "-", "--format", "table"], input: samples(3))
    #expect(side.code == 0 && side.output.wholeMatch(of: /[0-9a-f]{16}\n/) != nil)
    let list = try await luna.run(["uplink", "results"])
    #expect(list.lines.count == 2)
    #expect(list.output.hasSuffix(one.output))
    #expect(list.lines[0]["id"] as? String == side.output.trimmingCharacters(in: .newlines))
    #expect(list.lines[0]["verdict"] == nil && list.lines[0]["original"] == nil)
    let csv = ["--format", "csv"]
    let rows = try await luna.run(["uplink", "results"] + csv).output.split(separator: "\n")
    #expect(rows.count == 3 && rows[0].hasPrefix("id,time,profile,direction,server,verdict,"))
    #expect(rows.last?.hasPrefix("\(id),") == true && rows.last?.contains(",throttled,") == true)
    let alone = try await luna.run(["uplink", "results", id] + csv).output
    let ends = [rows.first, rows.last].compactMap(\.self)
    #expect(alone.split(separator: "\n") == ends, "\(alone)")
  }

  @Test func showsOneWithWhatItWasMadeOf() async throws {
    let both = #"{"original":\#(samples(2)),"control":\#(samples(8.9))}"#
    let path = try luna.file("both.json", both)
    let whole = try await luna.run(["uplink", "results", "import", path])
    let id = try #require(whole.lines.first?["id"] as? String)
    let side = try luna.file("side.json", samples(3))
    let half = try await luna.run(["uplink", "results", "import", side])
    let other = try #require(half.lines.first?["id"] as? String)
    let halfRows = try await luna.run(["uplink", "results", other, "--as", "csv"])
    #expect(halfRows.output.split(separator: "\n").count == 32, "\(halfRows.errors)")
    let shown = ["uplink", "results", id]
    #expect(try await luna.run(shown).output == whole.output)
    #expect(try await luna.run(shown + ["--as", "json"]).output == whole.output)
    let text = try await luna.run(shown + ["--format", "table"])
    #expect(text.output.contains("Throttled: imported runs slower."), "\(text.output)")
    #expect(text.output.contains("By the rule of Wehe's programs: throttled (area 0.78, p "))
    let rows = try await luna.run(shown + ["--as", "csv"]).output.split(separator: "\n")
    #expect(rows.count == 63 && rows[0] == "kind,seconds,mbps" && rows[1] == "original,0.0,2.0")
    #expect(rows[32] == "control,0.0,8.9")
    let picture = try await luna.run(shown + ["--as", "svg"]).output
    #expect(picture.hasPrefix("<svg ") && picture.contains("throttled: imported"))
    // What is written can be imported again, and says the same.
    let file = try luna.file(
      "again.json", try await luna.run(shown + ["--as", "wehe"]).output)
    let again = try await luna.run(["uplink", "results", "import", file])
    #expect(again.lines.first?["verdict"] as? String == "throttled", "\(again.errors)")
  }

  @Test func showsNothingThatIsNotThere() async throws {
    let words = ["uplink", "results"]
    #expect(try await luna.run(words + ["0123456789abcdef"]).code == 1)
    #expect(try await luna.run(words + ["'; DROP TABLE results", "--as", "csv"]).code == 1)
    #expect(try await luna.run(words + ["--as", "csv"]).code == 2)
    #expect(try await luna.run(words + ["0123456789abcdef", "--forget"]).code == 2)
    #expect(try await luna.run(words + ["0123456789abcdef", "--as", "pickle"]).code == 2)
  }

  @Test(arguments: [
    ("fair", 0, "fair"), ("throttled", 1, "throttled"), ("prioritised", 1, "prioritised"),
    ("blocked", 1, "blocked"),
  ])
  func simulatesWithoutANetwork(_ what: String, _ code: Int, _ verdict: String) async throws {
    let words = ["uplink", "check", "--simulate", what, "--format", "jsonl"]
    let answer = try await luna.run(words + ["luna-command", "luna-upload"])
    #expect(answer.code == Int32(code), "\(answer.errors)")
    #expect(answer.lines.map { $0["profile"] as? String } == ["luna-command", "luna-upload"])
    for line in answer.lines {
      #expect(line["type"] as? String == "uplink" && line["simulated"] as? Bool == true)
      #expect(line["verdict"] as? String == verdict && line["pairs"] as? Int == 10)
      #expect(line["power"] is [String: Double] && (line["slots"] as? [Any])?.count == 20)
    }
    // It is kept, and says of itself what it is.
    let list = try await luna.run(["uplink", "results"])
    #expect(list.lines.count == 2)
    let id = try #require(answer.lines[1]["id"] as? String)
    let text = try await luna.run(["uplink", "results", id, "--format", "table"]).output
    #expect(text.contains("Simulated: this says nothing of a network."), "\(text)")
    #expect(text.contains("would have been seen"))
  }

  /// UPLINK.md, 11: beside a result is by which limits it was judged.
  @Test func keepsTheThresholds() async throws {
    for words in [
      ["check", "--simulate", "fair"],
      ["check", "--simulate", "fair", "--slowdown", "2", "--power", "0.9"],
      ["locate", "--simulate", "noEvidence"], ["dpi", "--simulate", "name"],
    ] {
      _ = try await luna.run(["uplink"] + words)
    }
    let store = try UplinkStore(in: StateDirectory(path: luna.directory + "/luna"))
    let kept = try store.records().reversed().map { $0.conditions ?? "" }
    let check =
      #"{"rule":"luna","thresholds":{"ratio":1.25,"alpha":[0.002,0.006],"gamma":[0.01,0.05]"#
    try #require(kept.count == 4)
    #expect(kept[0].hasPrefix(check + "},"), "\(kept)")
    #expect(kept[1].hasPrefix(check + #","slowdown":2.0,"power":0.9},"#), "\(kept)")
    #expect(
      kept[2].hasPrefix(check + #","separate":1.5,"placeGamma":0.05,"lossP":0.01},"#), "\(kept)")
    #expect(
      kept[3].hasPrefix(
        #"{"rule":"luna","thresholds":{"p":0.001,"slots":6,"deviations":2.5},"#), "\(kept)")
  }

  @Test func makesAsManyPairsAsAreWanted() async throws {
    let words = ["uplink", "check", "--simulate", "inconclusive", "--format", "jsonl", "--pairs"]
    let answer = try await luna.run(words + ["12"])
    #expect(answer.code == 10, "\(answer.errors)")
    #expect(answer.lines.first?["pairs"] as? Int == 12)
    for bad in [["9"], ["65"], ["12", "--slowdown", "2"]] {
      #expect(try await luna.run(words + bad).code == 2, "\(bad)")
    }
  }

  @Test func simulatesErrors() async throws {
    for (name, code, number) in [
      ("addressBusy", 6, 16), ("overloaded", 6, 17), ("lost", 7, 8), ("connect", 9, 6),
      ("accessRefused", 9, 9), ("authorities", 8, 12),
    ] {
      let answer = try await luna.run(
        ["uplink", "check", "--simulate", "error:\(name)", "--format", "jsonl"])
      #expect(answer.code == Int32(code), "\(name): \(answer.errors)")
      let error = try #require(answer.lines.last)
      #expect(error["error"] as? String == name && error["weheCode"] as? Int == number)
    }
    #expect(try await luna.run(["uplink", "check", "--simulate", "error:none"]).code == 2)
    #expect(try await luna.run(["uplink", "check"]).code == 9)
    #expect(try await luna.run(["uplink", "check", "--simulate", "fair", "x.json"]).code == 2)
    // A schedule whose results are made up would look like one that finds nothing.
    #expect(try await luna.run(["uplink", "check", "--simulate", "fair", "--scheduled"]).code == 2)
  }

  @Test(arguments: [("common", 0), ("separate", 0), ("noEvidence", 1)])
  func locatesWithoutANetwork(_ what: String, _ code: Int) async throws {
    let answer = try await luna.run(
      ["uplink", "locate", "--simulate", what, "--format", "jsonl"])
    #expect(answer.code == Int32(code) && answer.lines.count == 1, "\(answer.errors)")
    let line = try #require(answer.lines.first)
    #expect(line["located"] as? String == what && line["simulated"] as? Bool == true)
    #expect(line["verdict"] as? String == (code == 0 ? "throttled" : "fair"))
    #expect((line["location"] is [String: Any]) == (code == 0))
    // It is kept, and says of itself what it is.
    let id = try #require(line["id"] as? String)
    let text = try await luna.run(["uplink", "results", id, "--format", "table"]).output
    #expect(text.contains("Simulated: this says nothing of a network."), "\(text)")
    #expect(text.contains("\nWhere: "), "\(text)")
    let picture = try await luna.run(["uplink", "results", id, "--as", "svg"])
    #expect(picture.code == 0 && picture.output.hasPrefix("<svg "), "\(picture.errors)")
  }

  @Test func namesWhatCannotBeLocated() async throws {
    let refused = ["noFork", "pathsMeetAgain", "sameServer", "pathUnknown"]
    let others = [
      "noPair", "pairRequestFailed", "pairRefused", "pairMalformed", "sitesMalformed",
      "siteUnreachable", "replayReceive", "replaySend", "replayUnknown", "replayCount",
      "analysisGaveUp", "resultGaveUp", "notSerializable", "localizeGaveUp", "noReplayPort",
      "answerGaveUp", "answerEmpty", "answerNotReady", "answerError", "answerMissing",
    ]
    let codes =
      [("recordingUnreadable", 8), ("addressBusy", 6), ("accessLost", 7)]
      + refused.map { ($0, 1) } + others.map { ($0, 9) }
    for (name, code) in codes {
      let answer = try await luna.run(
        ["uplink", "locate", "--simulate", "error:\(name)", "--format", "jsonl"])
      #expect(answer.code == Int32(code), "\(name): \(answer.errors)")
      let error = try #require(answer.lines.last)
      #expect(error["error"] as? String == name && error["type"] as? String == "error")
      #expect(error["hint"] is String, "\(name)")
    }
  }

  @Test(
    arguments: [
      ("name", 0, "bytes", ["luna.example"]), ("spans", 0, "bytes", ["events", "luna.example"]),
      ("byte", 0, "bytes", ["P"]), ("packets", 0, "bytes", ["X-", "Trace"]),
      ("nothing", 1, "nothing", []), ("noise", 10, nil, []),
    ] as [(String, Int, String?, [String])])
  func inspectsWithoutANetwork(
    _ what: String, _ code: Int, _ matched: String?, _ texts: [String]
  ) async throws {
    let answer = try await luna.run(["uplink", "dpi", "--simulate", what, "--format", "jsonl"])
    #expect(answer.code == Int32(code) && answer.lines.count == 1, "\(answer.errors)")
    let line = try #require(answer.lines.first)
    #expect(line["type"] as? String == "uplink" && line["simulated"] as? Bool == true)
    #expect(line["matched"] as? String == matched && line["verdict"] == nil)
    #expect((line["reason"] as? String == nil) == (matched != nil))
    let spans = try #require(line["spans"] as? [[String: Any]])
    #expect(spans.compactMap { $0["text"] as? String } == texts)
    #expect(try #require(line["probes"] as? Int) <= 200)
    // It is kept, and says of itself what it is.
    let id = try #require(line["id"] as? String)
    let shown = ["uplink", "results", id]
    let text = try await luna.run(shown + ["--format", "table"]).output
    #expect(text.contains("Simulated: this says nothing of a network."), "\(text)")
    for word in texts { #expect(text.contains("\"\(word)\""), "\(text)") }
    if what == "name" {
      #expect(text.contains("Found: what the network recognises of Simulated to simulated."))
      #expect(text.contains("By the field sni.\nPacket 1, bytes 32-43: \"luna.example\" (6c756e61"))
    }
    let picture = try await luna.run(shown + ["--as", "svg"])
    #expect(picture.code == 0 && picture.output.hasPrefix("<svg "), "\(picture.errors)")
  }

  /// A file with a recording of one packet and its answer.
  private func recording() throws -> String {
    let pair = "127.000.000.001.40000-127.000.000.001.00080"
    return try luna.file(
      "recording.json",
      #"[[{"c_s_pair":"\#(pair)","timestamp":0,"payload":"00","response_len":9}],[],["\#(pair)"],"A"]"#
    )
  }

  /// With nobody's consent a schedule has nothing to do, whatever it is to check.
  @Test func leavesOutWhatNobodyHasAgreedTo() async throws {
    let words = ["uplink", "check", try recording(), "--server", "wehe:127.0.0.1", "--plain"]
    #expect(try await luna.run(words).code == 4)
    let scheduled = try await luna.run(words + ["--scheduled"])
    #expect(scheduled.code == 0 && scheduled.output.isEmpty, "\(scheduled.errors)")
    #expect(scheduled.errors.contains("nobody has agreed"), "\(scheduled.errors)")
  }

  /// What is missing first is the consent, then the token.
  @Test(arguments: [["check"], ["locate", "--baseline"]])
  func asksForConsentBeforeItReadsAToken(_ words: [String]) async throws {
    let words = ["uplink"] + words + ["--server", "https://127.0.0.1:1"]
    let none = try await luna.run(words)
    #expect(none.code == 4 && none.errors.contains("consent --accept"), "\(none.errors)")
    _ = try await luna.run(["uplink", "consent", "--accept"])
    let agreed = try await luna.run(words)
    #expect(agreed.code == 8 && agreed.errors.contains("gateway.token"), "\(agreed.errors)")
  }

  /// They may be from the settings, where they are for profiles.
  @Test func saysWhatRecordingsDoNotHave() async throws {
    let words = ["uplink", "check", try recording(), "--server", "wehe:127.0.0.1", "--plain"]
    for (more, named) in [
      (["--direction", "both"], "--direction"), (["--pairs", "12"], "--pairs"),
      (["--direction", "down", "--slowdown", "2"], "--direction, --slowdown"),
    ] {
      let answer = try await luna.run(words + more)
      #expect(answer.code == 4 && answer.errors.contains("are, without \(named)\n"), "\(more)")
    }
    let answer = try await luna.run(words + ["--direction", "up"])
    #expect(answer.code == 4 && !answer.errors.contains("without --"), "\(answer.errors)")
  }

  /// Without a server, a consent, or a check that has found a difference there is nothing to be inspected.
  @Test func inspectsNothingWithoutADifference() async throws {
    let words = ["uplink", "dpi", "--format", "jsonl"]
    let way = [
      "--server", "https://127.0.0.1:1", "--token-file", try luna.file("token", "known\n"),
    ]
    #expect(try await luna.run(words).code == 9)
    #expect(try await luna.run(words + ["--server", "https://127.0.0.1:1"]).code == 4)
    #expect(try await luna.run(words + way).code == 4)
    _ = try await luna.run(["uplink", "consent", "--accept"])
    let none = try await luna.run(words + way)
    #expect(none.code == 1, "\(none.errors)")
    #expect((none.lines.last?["hint"] as? String)?.contains("luna uplink check") == true)
    // What was simulated is no difference.
    _ = try await luna.run(["uplink", "check", "--simulate", "throttled"])
    #expect(try await luna.run(words + way).code == 1)
    let replay = try recording()
    #expect(try await luna.run(words + [replay]).code == 9)
    let wehe = ["--server", "wehe:127.0.0.1", "--plain"]
    #expect(try await luna.run(words + [replay] + wehe).code == 1)
    #expect(try await luna.run(words + [replay, "--server", "mlab", "--plain"]).code == 9)
    #expect(try await luna.run(words + ["luna-command"]).code == 2)
    #expect(try await luna.run(words + ["--simulate", "name", "--resume"]).code == 2)
    #expect(try await luna.run(words + ["--simulate", "else"]).code == 2)
    let told = ["--simulate", "name", "--user-id", "me", "--extra-string", "Word"]
    #expect(try await luna.run(words + told).code == 0)
    #expect(try await luna.run(words + ["/nowhere/recording.json"] + wehe).code == 8)
  }

  @Test func locatesNothingWithoutTwoServers() async throws {
    let locate = ["uplink", "locate", "--format", "jsonl"]
    let answer = try await luna.run(locate)
    #expect(answer.code == 9 && answer.lines.last?["error"] as? String == "noPair")
    for words in [
      ["--simulate", "fair"], ["--simulate", "error:none"], ["--pair", "https://one.example"],
      ["--pair", "https://one.example,http://two.example"], ["luna-command"],
      ["--pair", "https://one.example,https://two.example", "--pair", "https://one.example"],
      ["--baseline", "--simulate", "common"],
    ] {
      #expect(try await luna.run(locate + words).code == 2, "\(words)")
    }
    let path = try luna.file("bad.json", "[]")
    let words = [path, "--server", "wehe:127.0.0.1", "--plain"]
    let unreadable = try await luna.run(locate + words)
    #expect(unreadable.code == 8, "\(unreadable.errors)")
    #expect(unreadable.lines.last?["error"] as? String == "recordingUnreadable")
  }

  /// UPLINK.md, 9: whether two at once are as fast together as one alone.
  @Test func judgesTwoAtOnce() async throws {
    let usual = try luna.file("usual.json", #"{"type":"baseline","variations":[1,2,3,4,5,6,7,8]}"#)
    for (rate, located) in [(5.0, "common"), (2.5, "noEvidence")] {
      let single = try luna.file("single.json", samples(rate))
      let words = ["--single", single, "--variations", usual]
      let answer = try await judge(samples(2), samples(3), words)
      #expect(answer.code == 0, "\(answer.errors)")
      let line = try #require(answer.lines.first)
      #expect(line["located"] as? String == located && line["rule"] as? String == "locate")
      #expect(line["mwuP"] is Double && line["mwu"] is NSNumber)
      #expect(try await judge(samples(2), samples(3), ["--single", single]).code == 2)
    }
    let bad = try luna.file("bad.json", #"["1"]"#)
    let single = try luna.file("single.json", samples(5))
    let words = ["--single", single, "--variations", bad]
    #expect(try await judge(samples(2), samples(3), words).code == 8)
  }

  @Test func settingsAreKept() async throws {
    let home = ["XDG_CONFIG_HOME": luna.directory + "/config"]
    func settings(_ words: String...) async throws -> Luna.Answer {
      try await luna.run(["uplink", "settings"] + words, environment: home)
    }
    let usual = try await settings("budget")
    #expect(usual.lines.first?["origin"] as? String == "default", "\(usual.errors)")
    let set = try await settings("budgetMetered", "5M")
    #expect(set.code == 0 && set.lines.count == 1, "\(set.errors)")
    #expect(set.lines.first?["option"] as? String == "budget-metered")
    #expect(set.lines.first?["value"] as? String == "5M")
    #expect(set.lines.first?["origin"] as? String == "file")
    // The check runs with it.
    let shown = try await luna.run(["config", "show", "uplink", "check"], environment: home)
    #expect(
      shown.output.contains("\"option\":\"budget-metered\",\"value\":\"5M\""), "\(shown.output)")
    for (key, value) in [
      ("budget", "much"), ("bogus", "1"), ("server", "x"), ("budget", "1\nx = y"),
      ("caNameCheck", "perhaps"), ("historyCount", "-1"), ("mwuPValue", "101"),
      ("simulateLocate", "throttle"),
    ] {
      let refused = try await settings(key, value)
      #expect(refused.code == 2, "\(key) \(value): \(refused.errors)")
    }
    #expect(try await settings("bogus").code == 2)
    // Those of localizations are in a section of their own.
    let located = try await settings("mwuPValue", "2")
    #expect(located.lines.first?["command"] as? String == "uplink locate", "\(located.errors)")
    #expect(located.lines.first?["origin"] as? String == "file")
    for (key, option, value) in [
      ("simulateLocate", "simulate", "common"), ("caNameCheck", "ca-name-check", "no"),
      ("useDefaults", "use-defaults", "yes"), ("historyCount", "history-count", "7"),
      ("profiles", "profiles", "luna-command,luna-upload"),
    ] {
      let set = try await settings(key, value)
      #expect(set.code == 0 && set.lines.first?["option"] as? String == option, "\(set.errors)")
      #expect(set.lines.first?["value"] as? String == value, "\(key)")
    }
    let simulated = try await luna.run(
      ["uplink", "check", "--simulate", "fair", "--ca-file", "ca.pem"], environment: home)
    #expect(
      simulated.lines.map { $0["profile"] as? String } == ["luna-command", "luna-upload"],
      "\(simulated.errors)")
    let alone = try await luna.run(["uplink", "check", "--simulate", "fair"], environment: home)
    #expect(alone.code == 2, "\(alone.errors)")
    // A single one is taken out by itself, also one of localizations.
    for (key, option) in [("caNameCheck", "ca-name-check"), ("mwuPValue", "mwu-p-value")] {
      let one = try await settings(key, "--defaults")
      #expect(one.code == 0 && one.lines.count == 1, "\(one.errors)")
      #expect(one.lines.first?["option"] as? String == option)
      #expect(one.lines.first?["origin"] as? String == "default")
    }
    #expect(try await settings("budgetMetered").lines.first?["value"] as? String == "5M")
    #expect(try await settings("simulateLocate").lines.first?["value"] as? String == "common")
    // Somebody has written it by hand, for all that the uplink has.
    let path = luna.directory + "/config/luna/luna.conf"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try ("[uplink]\nmonthly = 90M\n" + text).write(
      toFile: path, atomically: true, encoding: .utf8)
    #expect(try await settings("monthly").lines.first?["origin"] as? String == "file")
    let month = try await settings("monthly", "--defaults")
    #expect(month.lines.first?["origin"] as? String == "default", "\(month.errors)")
    #expect(try await settings("bogus", "--defaults").code == 2)
    #expect(try await settings("budget", "5M", "--defaults").code == 2)
    let cleared = try await settings("--defaults")
    #expect(cleared.code == 0 && cleared.lines.count > 20)
    #expect(cleared.lines.allSatisfy { $0["origin"] as? String != "file" })
  }

  /// Else every check would end with a mistake that nobody has made on its command line.
  @Test(arguments: [("pairs", "12", "slowdown", "2"), ("slowdown", "2", "pairs", "12")])
  func settingsThatExcludeEachOtherAreRefused(
    _ first: String, _ value: String, _ second: String, _ other: String
  ) async throws {
    let home = ["XDG_CONFIG_HOME": luna.directory + "/config"]
    func run(_ words: [String]) async throws -> Luna.Answer {
      try await luna.run(["uplink"] + words, environment: home)
    }
    #expect(try await run(["settings", "power", "0.9"]).code == 2)
    #expect(try await run(["settings", first, value]).code == 0)
    #expect(try await run(["settings", first, value]).code == 0)
    let refused = try await run(["settings", second, other])
    #expect(refused.code == 2, "\(refused.errors)")
    #expect(refused.errors.contains("take \(first) out of \(luna.directory)/config/"))
    #expect(try await run(["settings", second]).lines.first?["origin"] as? String == "default")
    #expect(try await run(["settings", "power", "0.9"]).code == (first == "slowdown" ? 0 : 2))
    #expect(try await run(["check", "--simulate", "fair"]).code == 0)
    // A power without its slowdown is such a mistake as well.
    let alone = try await run(["settings", first, "--defaults"])
    #expect(alone.code == (first == "slowdown" ? 2 : 0), "\(alone.errors)")
    #expect(try await run(["settings", "power", "--defaults"]).code == 0)
    #expect(try await run(["settings", first, "--defaults"]).code == 0)
    #expect(try await run(["settings", second, other]).code == 0)
  }

  @Test func forgetsAll() async throws {
    let side = try luna.file("side.json", samples(3))
    _ = try await luna.run(["uplink", "results", "import", side])
    let answer = try await luna.run(["uplink", "results", "--forget"])
    #expect(answer.code == 0 && answer.errors.contains("1 result is gone"))
    #expect(try await luna.run(["uplink", "results"]).output.isEmpty)
  }

  /// What is in the file of the consent reaches no terminal raw.
  @Test func tellsWhenSomebodyHasAgreed() async throws {
    let state = luna.directory + "/consent"
    let words = ["uplink", "consent", "--state", state]
    let given = try await luna.run(words + ["--accept"])
    let line = try #require(given.lines.first)
    let time = try #require(line["time"] as? String)
    let shown = try await luna.run(words + ["--format", "table"])
    #expect(shown.code == 0 && shown.output.hasSuffix(" on \(time).\n"), "\(shown.output)")
    let path = state + "/uplink-consent.json"
    let file = try String(contentsOfFile: path, encoding: .utf8)
    try file.replacingOccurrences(of: time, with: "\\u001b[2J")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let altered = try await luna.run(words + ["--format", "table"])
    #expect(altered.output.hasSuffix(" on \\x1b[2J.\n"), "\(altered.output)")
  }

  @Test func importsNothingThatItCannotRead() async throws {
    let path = try luna.file("bad.json", #"{"original":[[1],[1]]}"#)
    #expect(try await luna.run(["uplink", "results", "import", path]).code == 8)
    let list = try await luna.run(["uplink", "results"])
    #expect(list.code == 0 && list.output.isEmpty)
  }

  @Test func statisticsAnswerOthers() async throws {
    let questions = """
      {"groups":{"uplinkKS":{"cases":[{"id":"1","in":{"a":[1,1,2,2,3],"b":[2,2,3,3,4,4]}},\
      {"id":"2","in":{"a":[],"b":[1]}},{"id":"3","in":{"a":[1]}}]},\
      "uplinkSignFlips":{"cases":[{"id":"4","in":{"d":[0.5],"gamma":0.05}}]}}}
      """
    let path = try luna.file("questions.json", questions)
    let answer = try await luna.run(["selftest", "--answer", path])
    let line = try #require(answer.lines.first)
    let first = try #require(line["1"] as? [String: Double])
    #expect(abs(try #require(first["d"]) - 0.466666666666667) < 1e-15)
    #expect(abs(try #require(first["p"]) - 0.474025974025974) < 1e-15)
    #expect(line["2"] as? [String: String] == ["reject": "empty"])
    #expect(line["3"] as? [String: String] == ["error": "b is missing or mistyped"])
    #expect(Set(try #require(line["4"] as? [String: Double]).keys) == ["p", "ratio"])
  }
}
