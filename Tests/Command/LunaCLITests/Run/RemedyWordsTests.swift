import CommandSpec
import Diagnosis
import Testing

@testable import LunaCLI

/// What the command calls the steps of remedies is what one can type.
struct RemedyWordsTests {
  private static let steps: [Remedy.Step] = [
    .radioPath("virtual"), .recording, .adapters, .adapter, .otherAdapter, .phys("1m"),
    .activeScan, .passiveScan(path: "exclusive"), .unpack(program: "gzip"), .scan,
    .scanOfTrackers, .following, .onboarding, .ringingAsStranger, .pingOrClock, .clock,
    .timeLimit("150s"), .selftest, .trackerCreation, .trackers, .trackerReset, .devices,
    .forgetting, .forgettingDevice("0199"), .packages, .export, .importing, .timeRange,
    .replacing, .directory, .namedDirectory, .otherDirectory, .otherTrackerDirectory, .passphrase,
    .gateway, .location, .backend, .tokenCreation, .tokens, .accountCreation, .linkIdentity,
    .enrolmentCode,
    .enrolment,
    .migration, .sharedSettings, .storage, .certificate, .tokenFile, .signIn, .signedIn,
    .brokerPassword, .insecureBackend, .insecureWebhook,
  ]

  /// Every option, with its command: `luna scan` has `--radio`, `-i`.
  private static let options: [String: Set<String>] = {
    let pages = LunaCommand.tree.description.pages()
    return Dictionary(
      pages.map { ($0.line, Set($0.command.options.flatMap(\.names))) },
      uniquingKeysWith: { $0.union($1) })
  }()

  @Test(arguments: steps)
  func namesWhatThereIs(_ step: Remedy.Step) throws {
    let words = try #require(RemedyWords.words(step)).split(separator: " ").map { String($0) }
    let all = Self.options.values.reduce(into: Set()) { $0.formUnion($1) }
    var command: String?
    if let start = words.firstIndex(of: "luna") {
      // As far as there is a command of that name; what follows are its words.
      command = words[start...].indices.map { words[start...$0].joined(separator: " ") }
        .last { Self.options[$0] != nil }
      #expect(command != nil && command != "luna", "\(words)")
    }
    for word in words where word.hasPrefix("-") && word.count > 1 && !words.contains("-dc") {
      let known = command.flatMap { Self.options[$0] } ?? all
      #expect(known.contains(word), "\(word) of \(command ?? "any command")")
    }
    #expect(words.contains("luna") || words.contains { $0.hasPrefix("-") })
  }

  @Test func leavesTheSystemsOwnAlone() {
    for step in [Remedy.Step.powerOnAdapter("hci0"), .unblockRadios, .startBluetoothDaemon] {
      #expect(RemedyWords.words(step) == nil)
    }
  }

  /// Where something listens is not said by `--listen` everywhere.
  @Test func namesNoOptionThatTheCommandHasNot() async throws {
    let luna = try Luna()
    let answer = try await luna.run([
      "scan", "--radio", "virtual:7", "-c", "1", "--metrics", "192.0.2.1:9",
    ])
    #expect(answer.code == 2, "\(answer.errors)")
    #expect(answer.errors.contains("192.0.2.1:9") && !answer.errors.contains("--listen"))
  }

  /// In the command itself the words are installed, and its JSON has the same.
  @Test func speaksOfItsOwnCommands() async throws {
    let luna = try Luna()
    let answer = try await luna.run(["owner", "show", "nobody", "--format", "jsonl"])
    let hint = "there are none at all: luna onboard or luna owner import adds some"
    #expect(answer.code == 1)
    #expect(answer.errors == "luna: there is no device \"nobody\"; \(hint)\n")
    #expect(answer.lines.last?["hint"] as? String == hint)
  }
}
