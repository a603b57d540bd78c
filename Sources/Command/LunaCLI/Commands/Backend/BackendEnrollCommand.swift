import Bluetooth
import CommandSpec
import LunaBackend
import LunaCore
import LunaDocuments

/// `luna backend enroll`: a code for a gateway that fetches its token itself.
struct BackendEnrollCommand: Sendable {
  var name = ""
  var duration = Duration.seconds(86_400)
  var output = OutputOptions()
  var store = BackendStoreOptions()
  var zone = ZoneOptions()
  var general = GeneralOptions()

  static let command = Command(
    "enroll", "Make a code with which a gateway can get its token once.",
    discussion: [
      "The gateway sends it to POST /v1/gateways. A code can be used once, within a day "
        + "unless --valid says otherwise."
    ],
    initial: BackendEnrollCommand(),
    arguments: [
      .required(
        "NAME", "The name of the gateway", \.name, BackendTokenCreateCommand.nameReader)
    ],
    groups: [
      OptionGroup(
        "Options",
        [
          .value(
            "valid", "TIME", "How long the code is valid, such as 30m or 24h", \.duration, .duration
          )
          .defaulting(to: "24h")
        ]),
      OutputOptions.group.scoped(to: \.output), BackendStoreOptions.group.scoped(to: \.store),
      ZoneOptions.group.scoped(to: \.zone), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna backend enroll kitchen", "A code for the gateway kitchen")],
    exitStatuses: ExitCode.statuses)

  func run() async -> ExitCode {
    await BackendSession.run(store, output.format, general) { session in
      let code = try EnrolmentCode()
      let end = Timestamp(
        microseconds: session.storage.now.microseconds + duration.components.seconds * 1_000_000)
      let record = try code.record(name: name, until: end)
      try await session.storage.add(record)
      do {
        // It is in the fleet from now on, and can be given a place before it comes.
        try await FleetStore(storage: session.storage).adopt(name, at: session.storage.now)
      } catch {
        // Nobody will be told the code.
        try await session.storage.withdraw(record)
        throw error
      }
      if session.format == .jsonl {
        var writer = JSONFieldWriter("enrolment", in: session.output)
        writer.string("name", name)
        writer.string("code", code.text)
        writer.string("expiresAt", end.rfc3339)
        writer.endLine()
      } else {
        session.output.append(line: code.text)
      }
      try await session.output.flush { try await session.storage.withdraw(record) }
      session.diagnostics.note("luna: can be used once, until \(zone.noted.moment(end))")
      return .done
    }
  }
}
