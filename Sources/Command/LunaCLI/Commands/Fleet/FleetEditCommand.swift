import CommandSpec
import LunaJSON

/// `luna fleet edit`: other values for fields of a gateway.
struct FleetEditCommand: Sendable {
  var gateway = ""
  var fields = FleetFieldOptions()
  var untags: [String] = []
  var picture: String?
  var fleet = FleetOptions()

  static let command = Command(
    "edit", "Change fields of a gateway.",
    discussion: [
      "An empty text clears a field. Changes that others made meanwhile stay; where they changed the "
        + "same field, nothing is changed, and the exit code is 1. A picture is a JPEG, PNG or WebP "
        + "file of at most 768 KiB; all that it says besides what it shows is left out."
    ],
    initial: FleetEditCommand(),
    arguments: [.required("GW", "The gateway's id, key or name", \.gateway, .text)],
    groups: [
      FleetFieldOptions.group(isEdit: true).scoped(to: \.fields),
      OptionGroup(
        "More",
        [
          .repeated("untag", "TAG", "Take this tag away", \.untags, .text),
          .value("picture", "FILE", "Its picture; an empty text for none", \.picture, .text),
        ]),
    ] + FleetOptions.groups().map { $0.scoped(to: \.fleet) },
    examples: [
      Example("luna fleet edit kitchen --site berlin --tag roof --untag new", "Other fields"),
      Example("luna fleet edit kitchen --picture kitchen.jpg", "How it looks"),
    ],
    exitStatuses: ExitCode.clientStatuses)

  func run() async -> ExitCode {
    await FleetSession.run(fleet) { session in
      var record = try await session.gateway(gateway)
      let id = record.string("id") ?? ""
      var body = fields.members(present: record["place"])
      if !fields.tags.isEmpty || !untags.isEmpty {
        var tags: [String] = []
        if case .array(let present)? = record["tags"] {
          tags = present.compactMap { if case .string(let tag) = $0 { tag } else { nil } }
        }
        let wanted = Set(tags).subtracting(untags).union(fields.tags)
        body.append("tags", .array(wanted.sorted().map { .string($0) }))
      }
      guard !body.members.isEmpty || picture != nil else {
        throw CommandFailure(.usage, "it is not said what is to be changed", hint: "see --help")
      }
      if !body.members.isEmpty {
        body.append("revision", record["revision"] ?? 0)
        record = try await session.ask("PATCH", "/v1/gateways/\(id)", .object(body))
      }
      if let picture {
        record =
          picture.isEmpty
          ? try await session.ask("DELETE", "/v1/gateways/\(id)/picture")
          : try await session.ask(
            "PUT", "/v1/gateways/\(id)/picture", file: try await InputFile.read(picture))
      }
      session.show(record)
      return .done
    }
  }
}
