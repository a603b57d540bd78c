import CommandSpec
import Glibc
import LunaDocuments
import LunaProtocol
import LunaTracker
import TrackerMachine

/// `luna tracker label`: what stands on a tracker, for whoever onboards it.
struct TrackerLabelCommand: Sendable {
  var name: String?
  var codePath: String?
  var file: String?
  var overwrites = false
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "label", "Print the label of a tracker, or draw it.",
    discussion: [
      "The label is the code of the tracker, as luna onboard --qr reads it from a picture. Whoever "
        + "has it can onboard the tracker while it is in factory state. It is that of a tracker in "
        + "software, or with --code-file any: a board writes its code to its console at its first "
        + "start, and what was written there may be the file.",
      "Without -o it prints the text, and on a terminal the QR code. A picture can be read by you "
        + "alone (mode 0600).",
    ],
    initial: TrackerLabelCommand(),
    arguments: [.optional("NAME", "The name of the tracker, also on the label", \.name, .text)],
    groups: [
      LabelFile.group(\.file, \.overwrites),
      OptionGroup(
        "Options",
        [
          .value(
            "code-file", "FILE", "Take the code from FILE; - is standard input", \.codePath, .file)
        ]),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna tracker label box -o box.svg", "Of a tracker in software, to be printed"),
      Example("luna tracker label --code-file console.log -o label.png", "Of a board"),
    ],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      guard options.name != nil || options.codePath != nil else {
        throw ValueProblem("whose label is missing", remedy: "use NAME or --code-file FILE")
      }
      try LabelFile.check(options.file)
    })

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let code: OnboardingCode
      if let codePath {
        code = try await OnboardingCodeSource.file(codePath).read()
      } else {
        code = try TrackerFlash(name: name ?? "", state: try state.path()).load().record.code
      }
      try LabelFile.write(
        code.revealed, of: "a tracker", lines: [name].compactMap(\.self), isSecret: true, file,
        overwrites, output)
      return .done
    }
  }
}
