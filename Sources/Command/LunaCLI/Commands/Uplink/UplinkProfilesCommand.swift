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
      OutputOptions.group(of: [.table, .jsonl]).scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna uplink profiles", "What is built in"),
      Example("luna uplink profiles app_list.json", "The apps of a list"),
      Example(
        "luna uplink profiles Pandora_05132024.pcap_client_all.json", "What is in a recording?"),
    ],
    exitStatuses: ExitCode.uplinkStatuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let isTable = OutputFormat.chosen(self.output.format) == .table
    return await CommandRun(output, general.diagnostics).run {
      guard let path else {
        showBuiltIn(isTable, output)
        return .done
      }
      switch try await ProfileFile.read(path) {
      case .recording(let recording):
        if isTable {
          for line in recording.lines { output.append(line: line) }
        } else {
          append([recording.summary], to: output)
        }
      case .apps(let list):
        if isTable {
          ColumnTable.append(
            [
              .init(title: "APP", minimum: 12), .init(title: "ORIGINAL"), .init(title: "CONTROL"),
              .init(title: "CATEGORY", isOptional: true),
              .init(title: "MB", isNumber: true, isOptional: true),
              .init(title: "SECONDS", isNumber: true, isOptional: true),
            ], list.apps.map(\.row), to: output)
        } else {
          append(list.apps.map(\.summary), to: output)
        }
        if list.apps.isEmpty { general.diagnostics.note("luna: there are no apps in the list") }
      }
      return .done
    }
  }

  private func showBuiltIn(_ isTable: Bool, _ output: OutputBuffer) {
    guard isTable else {
      return append(BuiltInProfile.allCases.map(\.summary), to: output)
    }
    ColumnTable.append(
      [
        .init(title: "PROFILE"), .init(title: "ORIGINAL", minimum: 20),
        .init(title: "CONTROL", minimum: 20), .init(title: "COMPARED", minimum: 12),
      ], BuiltInProfile.allCases.map { [$0.rawValue, $0.original, $0.control, $0.measure] },
      to: output)
  }

  private func append(_ lines: [JSONObject], to output: OutputBuffer) {
    for line in lines { output.append(line: JSONValue.object(line).description) }
  }
}
