import CommandSpec
import Glibc
import LunaDocuments
import LunaStore
import UplinkProtocol

/// `luna uplink check`: is the network fair?
struct UplinkCheckCommand: Sendable {
  var words: [String] = []
  var server = UplinkServerOptions()
  var replay = UplinkReplayOptions()
  var budget = UplinkBudgetOptions()
  var output = OutputOptions()
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "check", "Replay recordings, and say whether the network treats them as other traffic.",
    discussion: [
      "Each recording is replayed with a server of Wehe's, and so is its control, which a network cannot "
        + "recognise: the file with Random in its name beside it, else the recording with all bits inverted. A "
        + "coin says which is first. The samples of both are judged by a rule of Wehe's programs; where they "
        + "differ, all is done once more, and both tests have to agree. What the server makes of them stands "
        + "beside. The exit code is 0 where all is fair, 1 where something is throttled, prioritised or "
        + "blocked, and 10 where the samples do not tell.",
      "What a check may use is told before anything is sent, and taken out of the month's first; more is refused "
        + "(11).",
      "A list of apps stands for the recordings that it names, in its directory; app:NAME chooses some of them.",
    ],
    initial: UplinkCheckCommand(),
    arguments: [
      .repeated(
        "FILE", "A recording or a list of apps, and app:NAME for one of a list", atLeast: 1,
        \.words,
        .file)
    ],
    groups: [
      UplinkReplayOptions.group.scoped(to: \.replay),
      UplinkServerOptions.group.scoped(to: \.server),
      UplinkBudgetOptions.group.scoped(to: \.budget),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example(
        "luna uplink check app_list.json --server wehe:wehe.example --ca-file ca.pem",
        "All apps of a list"),
      Example(
        "luna uplink check app_list.json app:Pandora --server wehe:192.0.2.1 --plain",
        "One of them, without TLS"),
    ],
    exitStatuses: ExitCode.uplinkCheckStatuses,
    check: { options throws(ValueProblem) in
      if let problem = options.server.problem { throw problem }
    })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let replays = try await UplinkReplay.read(words)
      guard let server = server.server else {
        throw CommandFailure(
          .backend, "no server is named that replays recordings",
          hint: "give --server wehe:HOST, with its --ca-file FILE")
      }
      let state = try state.path()
      try await UplinkConsent(in: state).require(general.diagnostics)
      try StateDirectoryMaker.make(state)
      let lock = try await WaitingLock.take(
        state + "/luna-uplink.lock", within: .zero, sleep: { _ in })
      guard let lock else {
        throw CommandFailure(
          .busy, "another check runs",
          hint: "wait for its end, or use another directory with --state")
      }
      defer { withExtendedLifetime(lock) {} }
      let session = UplinkCheckSession(
        server, self.server, replay, budget, StateDirectory(path: state),
        UplinkPrinter(output, OutputFormat.chosen(self.output.format), general.diagnostics))
      return try await session.run(replays)
    }
  }
}
