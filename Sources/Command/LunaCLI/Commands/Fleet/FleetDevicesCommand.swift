import CommandSpec
import LunaDocuments
import LunaJSON
import LunaTables
import TerminalTable

/// `luna fleet devices`: what a gateway hears, where it tells.
struct FleetDevicesCommand: Sendable {
  var gateway = ""
  var approves: String?
  var forgets: String?
  var edits: String?
  var name: String?
  var priority: String?
  var place: String?
  var manufacturer: String?
  var picture: String?
  var fleet = FleetOptions()

  static let command = Command(
    "devices", "List what a gateway hears, and say what may be there.",
    discussion: [
      "A REF is a pseudonym that only this gateway gives. Unknown devices that stay, heard in six of "
        + "the last 24 hours and not far away, are marked. Listening prevents nothing.",
      "A gateway tells of devices by themselves only with luna finder --devices refs. An empty text "
        + "clears a field. What was changed or hidden by mistake luna fleet undo brings back.",
    ],
    initial: FleetDevicesCommand(),
    arguments: [.required("GW", "The gateway's id, key or name", \.gateway, .text)],
    groups: [
      OptionGroup(
        "What to do",
        [
          .value("approve", "REF", "This one may be here", \.approves, .text),
          .value("forget", "REF", "Hide this one until it is heard a day later", \.forgets, .text),
          .value("edit", "REF", "Change fields of this one", \.edits, .text),
        ], exclusive: [["approve", "forget", "edit"]]),
      OptionGroup(
        "Fields, with --edit",
        [
          .value("name", "NAME", "Its name", \.name, .text),
          .value("priority", "P", "low, normal, high or critical", \.priority, .text),
          .value("place", "TEXT", "Where it is, in words", \.place, .text),
          .value("manufacturer", "NAME", "Who made it", \.manufacturer, .text),
          .value("picture", "FILE", "Its picture", \.picture, .text),
        ]),
    ] + FleetOptions.groups(OutputFormat.allCases).map { $0.scoped(to: \.fleet) },
    examples: [
      Example("luna fleet devices kitchen", "What it hears"),
      Example("luna fleet devices kitchen --approve 8899aabbccddeeff", "That one is ours"),
      Example(
        "luna fleet devices kitchen --edit 8899aabbccddeeff --name Lamp --place shelf",
        "Say what it is"),
    ],
    exitStatuses: ExitCode.clientStatuses,
    check: { options throws(ValueProblem) in
      let hasFields = options.picture != nil || options.texts.contains { $0.value != nil }
      guard (options.edits != nil) == hasFields else {
        throw ValueProblem(
          "fields need --edit REF, and --edit needs fields",
          remedy: "say what to change of which device")
      }
    })

  private var texts: [(field: String, value: String?)] {
    [("name", name), ("priority", priority), ("place", place), ("manufacturer", manufacturer)]
  }

  private static let fields = [
    "ref", "gateway", "family", "name", "band", "staying", "approved", "first", "last", "priority",
    "place", "manufacturer", "revision",
  ]

  private var heads: [ColumnTable.Column] {
    [
      .init(title: "REF"), .init(title: "FAMILY", minimum: 6), .init(title: "NAME", minimum: 6),
      .init(title: "BAND"), .init(title: "STAYS"),
      .init(title: fleet.zone.clock.head("LAST"), isOptional: true),
    ]
  }

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      let path = "/v1/gateways/\(try await session.id(of: gateway))/devices"
      if let forgets {
        let reply = try await session.ask("POST", "\(path)/\(QueryText.escaped(forgets))/forget")
        session.tell(reply, "\(forgets) is hidden")
        return .done
      }
      var devices = try await session.ask("GET", path).objects("devices")
      if let ref = approves ?? edits {
        guard let device = devices.first(where: { $0.string("ref") == ref }) else {
          throw CommandFailure(.notFound, "the gateway has no device \(ref)")
        }
        var body: JSONObject = ["revision": device["revision"] ?? 0]
        if approves != nil { body.append("approved", true) }
        for (field, value) in texts {
          if let value { body.append(field, value.isEmpty ? .null : .string(value)) }
        }
        var changed = device
        if body.members.count > 1 {
          changed = try await session.ask("PATCH", "\(path)/\(ref)", .object(body))
        }
        if let picture {
          changed =
            picture.isEmpty
            ? try await session.ask("DELETE", "\(path)/\(ref)/picture")
            : try await session.ask(
              "PUT", "\(path)/\(ref)/picture", file: try await InputFile.read(picture))
        }
        guard session.format == .csv else {
          session.line("fleetDevice", changed)
          return .done
        }
        devices = [changed]
      }
      Listing(fields: Self.fields, columns: heads).append(
        devices.count, as: session.format.ofList, to: session.output,
        line: { session.line("fleetDevice", devices[$0], to: $1) }, cells: { cells(devices[$0]) })
      return .done
    }
  }

  private func cells(_ device: JSONObject) -> [String] {
    ["ref", "family", "name", "band", "staying"].map { FleetText.of(device[$0]) }
      + [FleetText.time(device["last"], fleet.zone.clock)]
  }
}
