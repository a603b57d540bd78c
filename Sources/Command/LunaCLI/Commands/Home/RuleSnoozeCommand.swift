import Bluetooth
import CommandSpec
import Glibc
import LunaCore
import LunaDocuments
import LunaHome
import LunaJSON

/// `luna rule snooze`: puts a rule of the home that runs to sleep.
struct RuleSnoozeCommand: Sendable {
  var rule = ""
  var time = Duration.seconds(3600)
  var resumes = false
  var state = StateOption()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "snooze", "Put a rule of the home that runs to sleep, or wake it.",
    initial: RuleSnoozeCommand(),
    arguments: [.required("RULE", "Its id", \.rule, .text)],
    groups: [
      OptionGroup(
        "Options",
        [
          .value("for", "TIME", "For how long (30m, 8h)", \.time, .duration).defaulting(to: "1h"),
          .flag("resume", "Wake it instead", \.resumes),
        ], exclusive: [["for", "resume"]]),
      StateOption.group.scoped(to: \.state), ZoneOptions.group.scoped(to: \.zone),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna rule snooze left-home --for 8h", "Not today"),
      Example("luna rule snooze left-home --resume", "Again from now on"),
    ],
    exitStatuses: HomeCommand.runningStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let calls = try HomeCalls(state: try state.path())
      if resumes {
        _ = try await calls.call("resume", ["rule": .string(rule)])
        general.diagnostics.note("luna: \(EscapedPath.text(rule)) is awake")
      } else {
        let until = Timestamp.now.advanced(by: time)
        _ = try await calls.call(
          "snooze", ["rule": .string(rule), "until": .string(until.rfc3339)])
        general.diagnostics.note(
          "luna: \(EscapedPath.text(rule)) sleeps until \(zone.noted.moment(until))")
      }
      return .done
    }
  }
}
