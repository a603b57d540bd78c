import CommandSpec
import Glibc
import LunaDocuments
import LunaHome
import LunaJSON
import LunaTables
import TerminalTable

/// `luna home schema`: the keys of a home's file.
struct HomeSchemaCommand: Sendable {
  var listsKeys = false
  var output = OutputOptions()
  var general = GeneralOptions()

  static let command = Command(
    "schema", "Print the keys of a home's file as a JSON Schema.",
    discussion: [
      "The schema (2020-12) is what editors complete and check by. It says nothing of comments, "
        + "names that mean nothing, and what a value refers to: luna home check does. With --keys, the "
        + "keys as a list for people instead; (condition) stands for what a rule's 'if' may hold."
    ],
    initial: HomeSchemaCommand(),
    groups: [
      OptionGroup("Options", [.flag("keys", "List the keys, with what they mean", \.listsKeys)]),
      OutputOptions.group.scoped(to: \.output),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna home schema > home.schema.json", "For an editor"),
      Example("luna home schema --keys", "What can stand in the file?"),
    ],
    exitStatuses: HomeCommand.statuses)

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      guard listsKeys else {
        output.append(document: HomeSchema.json.indented + "\n")
        return .done
      }
      let keys = KeyDescription.all
      Listing(
        fields: ["path", "value", "required", "default", "meaning"],
        columns: [
          .init(title: "KEY", minimum: 12), .init(title: "VALUE", minimum: 12),
          .init(title: "DEFAULT"), .init(title: "MEANING", minimum: 12),
        ]
      ).append(
        keys.count, as: OutputFormat.chosen(self.output.format).ofList, to: output,
        line: { append(keys[$0], to: $1) }, cells: { cells(keys[$0]) })
      return .done
    }
  }

  private func cells(_ key: KeyDescription) -> [String] {
    [key.path, key.type, key.standard ?? (key.isRequired ? "(required)" : "-"), key.meaning]
  }

  private func append(_ key: KeyDescription, to output: OutputBuffer) {
    output.appendLine("key") { writer in
      writer.string("path", key.path)
      writer.string("value", key.type)
      writer.boolean("required", key.isRequired)
      if let standard = key.standard { writer.string("default", standard) }
      writer.string("meaning", key.meaning)
    }
  }
}
