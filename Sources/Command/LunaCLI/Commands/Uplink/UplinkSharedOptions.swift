import CommandSpec
import Glibc
import LunaDocuments
import LunaStore

/// What the commands share that send something to find out how a network treats it.
struct UplinkSharedOptions: Sendable {
  var server = UplinkServerOptions()
  var budget = UplinkBudgetOptions()
  var output = OutputOptions()
  var state = StateOption()
  var general = GeneralOptions()

  /// What holds for the gateway holds here, too.
  static let gateway = BorrowedKeys(
    from: ["finder"], ["backend", "ca-file", "state", "token-file"])
  /// What holds for checks, and for others of these commands as well.
  static let check = BorrowedKeys(
    from: ["uplink", "check"],
    [
      "backend", "budget", "budget-metered", "ca-file", "ca-name-check", "control-name",
      "extra-string",
      "history-count", "locate-url", "metered", "monthly", "monthly-metered", "packet-timing",
      "plain", "ports",
      "send-facts", "server", "site", "state", "token-file", "user-id",
    ])

  static var groups: [OptionGroup<UplinkSharedOptions>] {
    [
      UplinkServerOptions.group.scoped(to: \.server),
      UplinkBudgetOptions.group.scoped(to: \.budget),
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      StateOption.group.scoped(to: \.state), GeneralOptions.group.scoped(to: \.general),
    ]
  }

  /// A run with the servers that are named.
  func makeRun(_ keeper: UplinkKeeper) -> UplinkRun {
    UplinkRun(way: server, budget: budget, keeper: keeper)
  }

  /// Does the work of a command, with who stores and shows what comes of it.
  func run(
    _ work: (UplinkKeeper, OutputFormat, OutputBuffer) async throws -> ExitCode
  ) async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(self.output.format)
    return await CommandRun(output, general.diagnostics).run {
      let keeper = UplinkKeeper(
        state: StateDirectory(path: try state.path()),
        printer: UplinkPrinter(output, format, general.diagnostics))
      return try await work(keeper, format, output)
    }
  }
}
