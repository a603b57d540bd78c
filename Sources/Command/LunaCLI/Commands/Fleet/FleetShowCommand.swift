import CommandSpec

/// `luna fleet show`: all that is known of a gateway.
struct FleetShowCommand: Sendable {
  var gateway = ""
  var fleet = FleetOptions()

  static let command = Command(
    "show", "Show a gateway.", initial: FleetShowCommand(),
    arguments: [.required("GW", "The gateway's id, key or name", \.gateway, .text)],
    groups: FleetOptions.groups().map { $0.scoped(to: \.fleet) },
    examples: [Example("luna fleet show kitchen", "All that is known of it")],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      session.show(try await session.gateway(gateway))
      return .done
    }
  }
}
