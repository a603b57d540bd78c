import Foundation
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ConfigCommandTests {
  private let luna: Luna
  private let environment: [String: String]

  init() throws {
    luna = try Luna()
    environment = [
      "LUNA_SYSTEM_CONFIG": luna.directory + "/system.conf", "XDG_CONFIG_HOME": luna.directory,
    ]
    try FileManager.default.createDirectory(
      atPath: luna.directory + "/luna", withIntermediateDirectories: true)
  }

  /// Makes the files of the machine and of the user.
  private func write(system: String? = nil, user: String? = nil) throws {
    if let system { _ = try luna.file("system.conf", system) }
    if let user { _ = try luna.file("luna/luna.conf", user) }
  }

  private func show(
    _ words: [String] = [], _ more: [String: String] = [:]
  ) async throws -> [[String: Any]] {
    let answer = try await luna.run(
      ["config", "show", "--format", "jsonl"] + words, environment: environment.merging(more) { $1 }
    )
    #expect(answer.code == 0, "\(answer.errors)")
    return answer.lines
  }

  private func line(_ lines: [[String: Any]], _ option: String) -> [String: Any]? {
    lines.first { $0["option"] as? String == option }
  }

  @Test func filesAreFoundAndTheLaterOnesWin() async throws {
    try write(system: "[decode]\nhci = yes\n", user: "verbose = 1\n[decode]\nhci = no\n")
    // Advertising data again, since the file of the user comes later.
    let answer = try await luna.run(["decode", "020106"], environment: environment)
    #expect(answer.code == 0)
    #expect(answer.lines.first?["flags"] as? Int == 6)
    let named = try luna.file("named.conf", "[decode]\nhci = yes\n")
    let event = try await luna.run(
      ["decode", "020106", "--config", named], environment: environment)
    #expect(event.lines.first?["flags"] == nil)
    let variable = try await luna.run(
      ["decode", "020106"], environment: environment.merging(["LUNA_CONFIG": named]) { $1 })
    #expect(variable.lines.first?["flags"] == nil)
  }

  @Test func showsWhereEachValueWasSaid() async throws {
    try write(
      system:
        "color = never\n[finder]\nbackend = https://one.example\nproxy = http://a:secret@p:1\n",
      user: "[finder]\nbackend = https://two.example\n")
    let lines = try await show(["finder"], ["LUNA_LOCATION": "static:1,2"])
    let backend = try #require(line(lines, "backend"))
    #expect(backend["value"] as? String == "https://two.example")
    #expect(backend["file"] as? String == luna.directory + "/luna/luna.conf")
    #expect(backend["line"] as? Int == 2)
    #expect(line(lines, "proxy")?["value"] as? String == "http://a:***@p:1")
    #expect(line(lines, "location")?["variable"] as? String == "LUNA_LOCATION")
    #expect(line(lines, "batch")?["origin"] as? String == "default")
    #expect(line(lines, "batch")?["value"] as? String == "10")
    let all = try await show()
    let color = try #require(line(all, "color"))
    #expect(color["command"] == nil && color["line"] as? Int == 1)
    #expect(line(all, "backend")?["command"] as? String == "finder")
    #expect(line(all, "radio")?["origin"] as? String == "default")
  }

  @Test func showRefusesWhatIsNoCommand() async throws {
    let answer = try await luna.run(["config", "show", "findr"], environment: environment)
    #expect(answer.code == 2)
    #expect(answer.errors == "luna: unknown command 'findr'; did you mean 'luna finder'?\n")
  }

  @Test func checkFindsAllMistakesOfAllFiles() async throws {
    try write(system: "[finder]\nbakend = x\nduty = much\n", user: "[fynder]\n")
    let answer = try await luna.run(
      ["config", "check", "--format", "jsonl"],
      environment: environment.merging(["LUNA_RADIO": "wireless"]) { $1 })
    #expect(answer.code == 2)
    let problems = answer.lines.filter { $0["type"] as? String == "problem" }
    #expect(problems.map { $0["line"] as? Int } == [2, 3, 1, nil])
    #expect(problems.map { $0["hint"] as? String }.first == "did you mean backend?")
    #expect(answer.errors.contains("LUNA_RADIO"))
    let files = answer.lines.filter { $0["type"] as? String == "file" }
    #expect(files.map { $0["mistakes"] as? Int } == [2, 1])
  }

  @Test func checkLooksAtTheAddressOfABrokerAndShowsNoPassword() async throws {
    try write(
      system: "[local]\nmqtt = homeassistant.local\n",
      user: "[local]\nmqtt = mqtt:me:hidden@host\n")
    let answer = try await luna.run(["config", "check"], environment: environment)
    #expect(answer.code == 2)
    let errors = answer.errors
    #expect(errors.contains("system.conf:2: 'homeassistant.local' for mqtt"), "\(errors)")
    #expect(!errors.contains("hidden"), "\(errors)")
  }

  @Test func checkLooksAtTheAddressesOfServers() async throws {
    try write(
      system: "[finder]\nbackend = ftp://x\nwebhook = http://hook.example/hidden\n",
      user: "[local]\nwebhook = http://127.0.0.1:1/\n")
    let answer = try await luna.run(
      ["config", "check", "--format", "jsonl"], environment: environment)
    #expect(answer.code == 2)
    let problems = answer.lines.filter { $0["type"] as? String == "problem" }
    #expect(problems.map { $0["line"] as? Int } == [2, 3], "\(answer.errors)")
    #expect(!answer.errors.contains("hidden"), "\(answer.errors)")
    // What one file allows, the other may say.
    try write(
      system: "[finder]\nwebhook-allow-plain-http = yes\n",
      user: "[finder]\nbackend = https://x\nwebhook = http://hook.example/hidden\n")
    let allowed = try await luna.run(["config", "check"], environment: environment)
    #expect(allowed.code == 0, "\(allowed.errors)")
    let variable = try await luna.run(
      ["config", "check"], environment: environment.merging(["LUNA_WEBHOOK": "ftp://x"]) { $1 })
    #expect(variable.errors.contains("LUNA_WEBHOOK: "), "\(variable.errors)")
  }

  @Test func checkIsContentWithFilesThatAreNotThere() async throws {
    let answer = try await luna.run(["config", "check"], environment: environment)
    #expect(answer.code == 0)
    #expect(answer.lines.map { $0["state"] as? String } == ["absent", "absent"])
  }

  @Test func aMistakeStopsOtherCommandsAndIsNamed() async throws {
    try write(user: "[decode]\nhcl = yes\n")
    let answer = try await luna.run(["decode", "020106"], environment: environment)
    #expect(answer.code == 2)
    #expect(answer.errors.contains("luna/luna.conf:2: unknown key 'hcl'; did you mean hci?"))
  }

  @Test func whatAnotherCommandKnowsIsNoMistake() async throws {
    try write(user: "location = geoclue\n[finder]\nduty = full\n")
    #expect(try await luna.run(["decode", "020106"], environment: environment).code == 0)
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func aFileThatMayNotBeReadIsSaidAndDoneWithout() async throws {
    try write(system: "color = never\n", user: "[fynder]\n")
    let path = luna.directory + "/system.conf"
    chmod(path, 0)
    let named = try await luna.run(
      ["decode", "020106", "--config", path], environment: environment)
    #expect(named.code == 4, "\(named.errors)")
    // A mistake in the next file is found all the same.
    let both = try await luna.run(["config", "check"], environment: environment)
    #expect(both.code == 2, "\(both.errors)")
    #expect(both.errors.contains("fynder") && both.errors.contains("cannot read \(path)"))
    try write(user: "[decode]\nhci = no\n")
    let one = try await luna.run(["config", "check"], environment: environment)
    #expect(one.code == 4, "\(one.errors)")
    let shown = try await luna.run(["config", "show"], environment: environment)
    #expect(shown.code == 0 && shown.errors.contains("cannot read \(path)"), "\(shown.errors)")
    let answer = try await luna.run(["decode", "020106"], environment: environment)
    #expect(answer.code == 0, "\(answer.errors)")
    #expect(answer.errors.split(separator: "\n").count == 1, "\(answer.errors)")
    let quiet = try await luna.run(["decode", "020106", "-q"], environment: environment)
    #expect(quiet.code == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
  }
}
