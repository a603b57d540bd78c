import CommandSpec
import LunaDocuments
import LunaJSON

/// `luna fleet add`: a record made by hand, and a code for its gateway.
struct FleetAddCommand: Sendable {
  var name = ""
  var allowsNoPosition = false
  var fields = FleetFieldOptions()
  var fleet = FleetOptions()

  static let command = Command(
    "add", "Make the record of a gateway, and a code with which it gets its token.",
    discussion: ["The gateway uses the code, once and within three days, with luna finder enroll."],
    initial: FleetAddCommand(),
    arguments: [.required("NAME", "Its name", \.name, .text)],
    groups: [
      OptionGroup(
        "Options",
        [
          .flag("no-position", "Allow that nobody knows where it is", \.allowsNoPosition)
        ]), FleetFieldOptions.group(isEdit: false).scoped(to: \.fields),
    ] + FleetOptions.groups().map { $0.scoped(to: \.fleet) },
    examples: [
      Example("luna fleet add kitchen --at 52.5186,13.3763 --tag indoor", "A record and a code")
    ],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      var body = fields.members()
      body.append("name", .string(name))
      if !fields.tags.isEmpty { body.append("tags", .array(fields.tags.map { .string($0) })) }
      if allowsNoPosition { body.append("allowNoPosition", true) }
      let reply = try await session.ask("POST", "/v1/gateways", .object(body))
      try await FleetEnrollCommand.show(reply, session) {
        _ = try await session.ask("POST", "/v1/changes/\(FleetText.of(reply["change"]))/undo")
      }
      return .done
    }
  }
}
