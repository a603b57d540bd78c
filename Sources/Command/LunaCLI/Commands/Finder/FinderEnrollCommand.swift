import CommandSpec
import EventLoop
import Glibc
import LunaClient
import LunaCore
import LunaDocuments
import LunaTelemetry

/// `luna finder enroll`: gets the token of this gateway for a code.
struct FinderEnrollCommand: Sendable {
  var codeFile = "-"
  var overwrites = false
  var client = ClientOptions()
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "enroll", "Get this gateway's token with an enrolment code.",
    discussion: [
      "Whoever runs the backend makes the code with luna backend enroll NAME. It can be "
        + "used once. The token is written to --token-file, or to where luna finder looks for "
        + "it: gateway.token in the state directory, mode 0600."
    ],
    initial: FinderEnrollCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .value(
            "code-file", "FILE", "Read the code from FILE; - is standard input", \.codeFile, .file
          ).defaulting(to: "-"),
          .flag("force", "Overwrite an existing --token-file", \.overwrites),
        ]),
      ClientOptions.group(.gateway).scoped(to: \.client),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna finder enroll --backend https://luna.example", "Asks for the code")
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      guard options.client.backend != nil else {
        throw ValueProblem("needs --backend", remedy: "name the backend that the code comes from")
      }
    })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let directory = try state.path()
      guard let client = try client.makeClient(.gateway, state: directory) else { return .usage }
      let file = self.client.tokenFile ?? "\(directory)/\(TokenSource.Role.gateway.tokenFile)"
      if self.client.tokenFile == nil { try StateDirectoryMaker.make(directory) }
      // The name in the state directory is ours; and a code is good once only.
      let replaces = overwrites || self.client.tokenFile == nil
      try OutputFile.check(file, replacing: replaces)
      let code = try await readCode()
      // The backend gives a token for it once: there is room for it before it is asked.
      let draft = try OutputFile.secretDraft(file, replacing: replaces)
      let began = ContinuousClock.now
      let (gateway, token) = try await client.enrol(code: code)
      await record(began.duration(to: .now), in: directory)
      try OutputFile.finish(draft, with: Array((token + "\n").utf8))
      general.diagnostics.note("luna: this is now the gateway \(gateway); its token is in \(file)")
      return .done
    }
  }

  /// Records how long it took, where somebody has asked for that.
  private func record(_ duration: Duration, in directory: String) async {
    guard general.recordsUse else { return }
    var configuration = TelemetryConfiguration(state: directory)
    configuration.recordsUsage = true
    let telemetry = Telemetry(configuration)
    telemetry.record(.operation("enrol", in: "finder", took: duration))
    _ = await telemetry.save()
  }

  private func readCode() async throws(CommandFailure) -> String {
    let text: String
    if codeFile == "-" {
      if isatty(STDIN_FILENO) == 1 { general.diagnostics.note("luna: the code?") }
      text = await Blocking.run { readLine() } ?? ""
    } else {
      text = String(decoding: try await InputFile.read(codeFile), as: UTF8.self)
    }
    let code = EnrolmentText.code(in: text)
    guard !code.isEmpty else {
      throw CommandFailure(
        .unreadableInput, "there is no enrolment code", hint: "luna backend enroll NAME makes one")
    }
    return code
  }
}
