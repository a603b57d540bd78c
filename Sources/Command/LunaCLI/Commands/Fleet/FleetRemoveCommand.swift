import CommandSpec
import LunaJSON

/// `luna fleet remove`: takes a gateway out of the fleet.
struct FleetRemoveCommand: Sendable {
  var gateway = ""
  var isConfirmed = false
  var fleet = FleetOptions()

  static let command = Command(
    "remove", "Remove a gateway; its token is not good any more.",
    discussion: [
      "It asks first; where there is no terminal to ask on, it needs --yes. For 30 days luna fleet "
        + "undo brings the gateway back, with its token."
    ],
    initial: FleetRemoveCommand(),
    arguments: [.required("GW", "The gateway's id, key or name", \.gateway, .text)],
    groups: [
      OptionGroup("What to do", [.flag("yes", short: "y", "Do not ask", \.isConfirmed)])
    ] + FleetOptions.groups().map { $0.scoped(to: \.fleet) },
    examples: [Example("luna fleet remove --yes kitchen", "In a script")],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      if !isConfirmed { try Confirmation.checkTerminal(for: "luna fleet remove") }
      let record = try await session.gateway(gateway)
      let name = FleetText.of(record["name"])
      if !isConfirmed {
        try await Confirmation.ask("Remove the gateway \(name)?", for: "luna fleet remove")
      }
      let reply = try await session.ask("DELETE", "/v1/gateways/\(record.string("id") ?? "")")
      session.tell(
        reply, "\(name) is removed; luna fleet undo \(FleetText.of(reply["change"])) brings it back"
      )
      return .done
    }
  }
}
