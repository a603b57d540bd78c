import CommandSpec
import Diagnosis
import LunaDocuments
import LunaFleet
import LunaJSON
import LunaTables
import TerminalTable

/// `luna fleet list`: a line for each gateway.
struct FleetListCommand: Sendable {
  var search = ""
  var sort: String?
  var fleet = FleetOptions()

  static let command = Command(
    "list", "List gateways.",
    discussion: [
      "A search is words and fields: name, key, site, tag, ip, mac, manufacturer, model, version, "
        + "state, verdict, reason, seen (seen:<1h), queue, packets, has, near:LAT,LON,METRES. Terms "
        + "are joined by and; OR between two, - in front of one that must not hold, * for anything."
    ],
    initial: FleetListCommand(),
    groups: [
      OptionGroup(
        "What to show",
        [
          .value("search", "Q", "Only those that a search finds", \.search, .text),
          .value("sort", "FIELD", "Sort by name, site, state, seenAt, …; - reverses", \.sort, .text)
            .defaulting(to: "name"),
        ])
    ] + FleetOptions.groups(OutputFormat.allCases).map { $0.scoped(to: \.fleet) },
    examples: [
      Example("luna fleet list", "All of them"),
      Example("luna fleet list --search 'tag:roof seen:>1d'", "Roofs that are silent for a day"),
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      do throws(FleetError) {
        _ = try FleetSearch(options.search)
      } catch {
        throw ValueProblem("--search: \(error.reason) at column \(error.position ?? 1)")
      }
    })

  private var heads: [ColumnTable.Column] {
    [
      .init(title: "NAME", minimum: 8), .init(title: "STATE"), .init(title: "VERDICT"),
      .init(title: "WHY", minimum: 6), .init(title: "SITE", minimum: 6),
      .init(title: "TAGS", minimum: 6, isOptional: true),
      .init(title: fleet.zone.clock.head("SEEN"), isOptional: true),
      .init(title: "ID"),
    ]
  }

  /// What stands in the line of a gateway; why it is not well, in one word for each reason.
  static func row(_ gateway: JSONObject, _ clock: ClockText) -> [String] {
    var texts = ["name", "state", "verdict"].map { FleetText.of(gateway[$0]) }
    let reasons = gateway.objects("reasons").map { FleetText.of($0["code"]) }
    texts.append(reasons.isEmpty ? "-" : reasons.joined(separator: ", "))
    texts += ["site", "tags"].map { FleetText.of(gateway[$0]) }
    texts.append(FleetText.time(gateway["seenAt"], clock))
    texts.append(FleetText.of(gateway["id"]))
    return texts
  }

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      let gateways = try await session.gateways(search, sort: sort)
      switch session.format {
      case .jsonl: for gateway in gateways { session.line("gateway", gateway) }
      case .csv:
        session.output.append(line: GatewayFile.head)
        for gateway in gateways { session.output.append(line: GatewayFile.row(gateway)) }
      case .table:
        ColumnTable.append(
          heads, gateways.map { FleetListCommand.row($0, fleet.zone.clock) }, to: session.output)
      }
      return gateways.isEmpty && !search.isEmpty ? .notFound : .done
    }
  }
}
