import CommandSpec
import LunaDocuments
import LunaFleet

/// `luna fleet export`: all gateways, for a file.
struct FleetExportCommand: Sendable {
  var search = ""
  var fleet = FleetOptions()

  static let command = Command(
    "export", "Write all gateways to standard output, as JSON lines or CSV.",
    discussion: ["luna fleet import reads either; what it makes of them are new records."],
    initial: FleetExportCommand(),
    groups: [
      OptionGroup(
        "What to write", [.value("search", "Q", "Only what a search finds", \.search, .text)])
    ] + FleetOptions.groups([.jsonl, .csv]).map { $0.scoped(to: \.fleet) },
    examples: [Example("luna fleet export --format csv > fleet.csv", "For a spreadsheet")],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      let gateways = try await session.gateways(search, isExport: true)
      if fleet.output.format == .csv { session.output.append(line: GatewayFile.head) }
      for gateway in gateways {
        if fleet.output.format == .csv {
          session.output.append(document: GatewayFile.row(gateway) + "\n")
        } else {
          session.line("gateway", gateway)
        }
      }
      return .done
    }
  }
}
