import CommandSpec
import Glibc
import LunaDocuments
import LunaJSON
import LunaTables
import LunaUplink
import TerminalTable
import UplinkProtocol

/// `luna uplink profiles`: what can be compared.
struct UplinkProfilesCommand: Sendable {
  var path: String?
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "profiles", "List what can be compared: profiles, a recording, or the apps of a list.",
    discussion: [
      "Without a file: the profiles that are built in. A file is a recording of Wehe's as its client reads "
        + "it, or a list of apps in the spelling of either app. All of it is checked. What its server reads is "
        + "a Python pickle, which is a program and never read. Nothing is sent."
    ],
    initial: UplinkProfilesCommand(),
    arguments: [
      .optional("FILE", "A recording or a list of apps; - is standard input", \.path, .file)
    ],
    groups: [
      OutputOptions.group.scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna uplink profiles", "What is built in"),
      Example("luna uplink profiles app_list.json", "The apps of a list"),
      Example(
        "luna uplink profiles Pandora_05132024.pcap_client_all.json", "What is in a recording?"),
    ],
    exitStatuses: ExitCode.uplinkStatuses)

  private static let recordingFields = [
    "name", "transport", "connections", "packets", "sentBytes", "answeredBytes", "seconds",
  ]
  private static let appFields = [
    "kind", "name", "original", "control", "category", "megabytes", "seconds",
  ]
  private static let appColumns: [ColumnTable.Column] = [
    .init(title: "APP", minimum: 12), .init(title: "ORIGINAL"), .init(title: "CONTROL"),
    .init(title: "CATEGORY", isOptional: true),
    .init(title: "MB", isNumber: true, isOptional: true),
    .init(title: "SECONDS", isNumber: true, isOptional: true),
  ]

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let format = OutputFormat.chosen(self.output.format).ofList
    return await CommandRun(output, general.diagnostics).run {
      guard let path else {
        listBuiltIn(format, output)
        return .done
      }
      switch try await ProfileFile.read(path) {
      case .recording(let recording):
        if format == .table {
          for line in recording.lines { output.append(line: line) }
        } else {
          Listing(fields: Self.recordingFields, columns: []).append(
            1, as: format, to: output, line: { append(recording.summary, to: $1) },
            cells: { _ in [] })
        }
      case .apps(let list):
        Listing(fields: Self.appFields, columns: Self.appColumns).append(
          list.apps.count, as: format, to: output,
          line: { append(list.apps[$0].summary, to: $1) }, cells: { list.apps[$0].row })
        if list.apps.isEmpty { general.diagnostics.note("luna: there are no apps in the list") }
      }
      return .done
    }
  }

  private func listBuiltIn(_ format: Listing.Form, _ output: OutputBuffer) {
    let profiles = BuiltInProfile.allCases
    Listing(
      fields: ["name", "original", "control", "compared"],
      columns: [
        .init(title: "PROFILE"), .init(title: "ORIGINAL", minimum: 20),
        .init(title: "CONTROL", minimum: 20), .init(title: "COMPARED", minimum: 12),
      ]
    ).append(
      profiles.count, as: format, to: output, line: { append(profiles[$0].summary, to: $1) },
      cells: {
        let profile = profiles[$0]
        return [profile.rawValue, profile.original, profile.control, profile.measure]
      })
  }

  private func append(_ line: JSONObject, to output: OutputBuffer) {
    output.append(line: JSONValue.object(line).description)
  }
}
