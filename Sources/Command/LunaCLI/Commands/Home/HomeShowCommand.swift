import CommandSpec
import Glibc
import LunaDocuments
import LunaHome
import LunaHomeWeb
import LunaJSON
import LunaStore
import LunaTables
import TerminalTable

/// `luna home show`: what holds for a home, and who said so.
struct HomeShowCommand: Sendable {
  var path: String?
  var showsObjects = false
  var state = StateOption()
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "show", "Show what holds for a home, and where it was said.",
    discussion: [
      "Each value with the line of the file that says it, and what holds by itself for the keys that "
        + "are left out; then what people have made in the app. A value is JSON; a secret is never shown.",
      "With --objects, only what people have made in the app, as JSON to paste into the file. Works "
        + "without a running home.",
    ],
    initial: HomeShowCommand(),
    arguments: [.optional("FILE", "The file; - is standard input", \.path, .file)],
    groups: [
      OptionGroup(
        "Options",
        [.flag("objects", "What people have made in the app, to paste", \.showsObjects)]),
      StateOption.group.scoped(to: \.state),
      OutputOptions.group.scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna home show", "Everything that holds"),
      Example("luna home show --objects", "What was made in the app, for the file"),
    ],
    exitStatuses: HomeCommand.statuses)

  /// A value that holds, and who said so: a line of the file, people in the app, or nobody.
  private struct Row {
    let path: String
    let value: String
    var line: Int?
    var isOfApp = false
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let store = try await HomeStore.reading(in: StateDirectory(path: try state.path()))
      let objects = store.map { HomeObjects($0) }
      if showsObjects {
        try await append(objects, to: output)
        return .done
      }
      let report = try await HomeReport(path, self.output.format, output, general.diagnostics)
      report.tellErrors()
      try report.requireUsable()
      let made = try await made(objects, beside: report.file)
      let rows =
        report.file.settings.map { Row(path: $0.path, value: $0.value, line: $0.line) } + made
      Listing(
        fields: ["path", "value", "origin", "file", "line"],
        columns: [
          .init(title: "PATH", minimum: 12), .init(title: "VALUE", minimum: 12),
          .init(title: "FROM", minimum: 12),
        ]
      ).append(
        rows.count, as: report.format.ofList, to: output,
        line: { append(rows[$0], report.path, to: $1) }, cells: { cells(rows[$0], report.path) })
      return .done
    }
  }

  /// What people have made, behind what the file has of its kind. Where both do not go together, the home
  /// leaves it out.
  private func made(_ objects: HomeObjects?, beside file: HomeFile) async throws -> [Row] {
    guard let merged = try await objects?.merged(with: file, in: .ofThisMachine) else { return [] }
    guard merged.isUsable else {
      general.diagnostics.warning(
        "luna: what was made in the app does not go together with the file, and is left out")
      return []
    }
    var rows: [Row] = []
    for kind in HomeObject.Kind.allCases {
      let (name, count) = (kind.rawValue, file.objects(kind.rawValue).count)
      for (number, object) in merged.objects(name).enumerated() where number >= count {
        let value = object.value.description
        rows.append(Row(path: "/\(name)/\(number)", value: value, isOfApp: true))
      }
    }
    return rows
  }

  private func append(_ objects: HomeObjects?, to output: OutputBuffer) async throws {
    var document = JSONObject()
    for kind in HomeObject.Kind.allCases {
      let all = try await objects?.all(kind) ?? []
      if !all.isEmpty { document.append(kind.rawValue, .array(all.map(\.value))) }
    }
    if document.members.isEmpty {
      general.diagnostics.note("luna: nobody has made anything in the app")
    }
    output.append(document: JSONValue.object(document).indented + "\n")
  }

  private func cells(_ row: Row, _ file: String) -> [String] {
    let line = row.line.map { "\(file):\($0)" }
    return [row.path, row.value, line ?? (row.isOfApp ? "the app" : "default")]
  }

  private func append(_ row: Row, _ file: String, to output: OutputBuffer) {
    output.appendLine("setting") { writer in
      writer.string("path", row.path)
      writer.string("value", row.value)
      if let line = row.line {
        writer.string("origin", "file" as StaticString)
        writer.string("file", file)
        writer.integer("line", Int64(line))
      } else {
        let origin: String = row.isOfApp ? "web" : "default"
        writer.string("origin", origin)
      }
    }
  }
}
