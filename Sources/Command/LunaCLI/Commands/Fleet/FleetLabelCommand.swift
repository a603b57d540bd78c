import CommandSpec
import LunaFleet
import LunaJSON

/// `luna fleet label`: the label of a gateway in the fleet, or of a text.
struct FleetLabelCommand: Sendable {
  var gateway = ""
  var file: String?
  var overwrites = false
  var fleet = FleetOptions()

  static let command = Command(
    "label", "Draw the label of a gateway.",
    discussion: [
      "Without -o it prints the text of the label. A gateway that came by a code has no label here: "
        + "luna finder label on the gateway itself prints one."
    ],
    initial: FleetLabelCommand(),
    arguments: [
      .required("GW|TEXT", "The gateway's id, key or name, or LUNAG1:…", \.gateway, .text)
    ],
    groups: [LabelFile.group(\.file, \.overwrites)]
      + FleetOptions.groups().map { $0.scoped(to: \.fleet) },
    examples: [Example("luna fleet label kitchen -o kitchen.svg", "To be printed")],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in try LabelFile.check(options.file) })

  func run() async -> ExitCode {
    if gateway.uppercased().hasPrefix("LUNA") && gateway.utf8.contains(UInt8(ascii: ":")) {
      return await LabelFile.run(fleet.general, file, overwrites) { () throws(CommandFailure) in
        try LabelFile.payload(gateway)
      }
    }
    return await FleetSession.run(fleet) { session in
      let record = try await session.gateway(gateway)
      guard let payload = try await payload(record, session) else {
        throw CommandFailure(
          .notFound, "the backend does not know the key of this gateway: it came by a code",
          hint: "luna finder label on the gateway prints its label")
      }
      try await LabelFile.write(payload, file, overwrites, session.output)
      return .done
    }
  }

  /// The label that belongs to a record.
  private func payload(
    _ record: JSONObject, _ session: FleetSession
  ) async throws(CommandFailure) -> GatewayPayload? {
    let whole = try await session.ask("GET", "/v1/gateways/\(record.string("id") ?? "")")
    return try whole.string("label").map { text throws(CommandFailure) in
      try LabelFile.payload(text)
    }
  }
}
