import CommandSpec
import Glibc
import LunaDocuments
import LunaHome
import LunaJSON

/// `luna notify retry`: has the home that runs send a message again.
struct NotifyRetryCommand: Sendable {
  var number = 0
  var state = StateOption()
  var general = GeneralOptions()

  static let command = Command(
    "retry", "Have the home that runs tell somebody again what could not be told.",
    initial: NotifyRetryCommand(),
    arguments: [
      .required("ID", "Its id, as luna notify list says it", \.number, .integer(1...Int.max))
    ],
    groups: [
      StateOption.group.scoped(to: \.state),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna notify retry 17", "Try this one again")],
    exitStatuses: NotifyCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let calls = try HomeCalls(state: try state.path())
      _ = try await calls.call("retry", ["notification": .integer(Int64(number))])
      general.diagnostics.note("luna: \(number) is tried again")
      return .done
    }
  }
}
