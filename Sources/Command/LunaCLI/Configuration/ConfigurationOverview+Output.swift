import CommandSpec
import LunaDocuments
import LunaTables
import TerminalTable

extension ConfigurationOverview.Line {
  /// Lines in whichever form.
  static var listing: Listing {
    Listing(
      fields: ["command", "option", "value", "origin", "file", "line", "variable"],
      columns: columns(for: Terminal.standardOutputWidth))
  }

  /// What people see on a terminal of a width: names are cut only where not all fits without.
  static func columns(for width: Int?) -> [ColumnTable.Column] {
    let isNarrow = width ?? 80 < 72
    return [
      .init(title: "COMMAND", minimum: 6), .init(title: "OPTION", minimum: isNarrow ? 10 : nil),
      .init(title: "VALUE", minimum: isNarrow ? 8 : 12),
      .init(title: "FROM", minimum: isNarrow ? 8 : 12),
    ]
  }

  var cells: [String] {
    let place =
      switch origin {
      case .usual: "default"
      case .file(let name, let line): "\(name):\(line)"
      case .environment(let name): name
      }
    return [command.isEmpty ? "(all)" : command, option, value ?? "-", place]
  }

  func append(to output: OutputBuffer) {
    output.appendLine("setting") { writer in
      if !command.isEmpty { writer.string("command", command) }
      writer.string("option", option)
      if let value { writer.string("value", value) }
      switch origin {
      case .usual: writer.string("origin", "default" as StaticString)
      case .file(let name, let line):
        writer.string("origin", "file" as StaticString)
        writer.string("file", name)
        writer.integer("line", Int64(line))
      case .environment(let name):
        writer.string("origin", "environment" as StaticString)
        writer.string("variable", name)
      }
    }
  }
}
