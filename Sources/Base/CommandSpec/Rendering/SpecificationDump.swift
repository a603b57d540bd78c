import LunaJSON

/// The whole command line as JSON, for tools: `luna --dump-spec`.
public enum SpecificationDump {
  /// The version of the JSON's shape; members may be added without a new one.
  public static let schema = 1

  /// A command with everything below it, hidden things included. Empty members are left out.
  public static func json(_ root: CommandDescription) -> String {
    members([("schema", .integer(Int64(schema))), ("command", command(root, atTop: true))]).indented
      + "\n"
  }

  private static func command(_ command: CommandDescription, atTop: Bool) -> JSONValue {
    let builtIn = OptionGroupDescription("Built in", CommandPage.builtIn(atTop: atTop))
    return object([
      ("name", .string(command.name)),
      ("summary", .string(command.summary)),
      ("discussion", .array(command.discussion.map(JSONValue.string))),
      ("runnable", .bool(command.isRunnable)),
      ("hidden", .bool(command.isHidden)),
      ("arguments", .array(command.arguments.map(argument))),
      ("groups", .array((command.groups + [builtIn]).map(group))),
      ("examples", .array(command.examples.map { pair("line", $0.line, "help", $0.help) })),
      (
        "exitStatuses",
        .array(
          command.exitStatuses.map {
            members([("code", .integer(Int64($0.code))), ("meaning", .string($0.meaning))])
          })
      ),
      ("environment", .array(command.variables.map { pair("name", $0.name, "help", $0.help) })),
      (
        "seeAlso",
        .array(
          command.seeAlso.map {
            members([("name", .string($0.name)), ("section", .integer(Int64($0.section)))])
          })
      ),
      ("subcommands", .array(command.subcommands.map { self.command($0, atTop: false) })),
    ])
  }

  private static func group(_ group: OptionGroupDescription) -> JSONValue {
    object([
      ("title", .string(group.title)),
      ("options", .array(group.options.map(option))),
      ("exclusive", .array(group.exclusive.map { .array($0.map(JSONValue.string)) })),
    ])
  }

  private static func option(_ option: OptionDescription) -> JSONValue {
    let form =
      switch option.form {
      case .flag: "flag"
      case .negatableFlag: "negatableFlag"
      case .count: "count"
      case .value: "value"
      }
    return object([
      ("long", .string(option.long)),
      ("short", .string(option.short.map { String($0) } ?? "")),
      ("help", .string(option.help)),
      ("form", .string(form)),
      ("placeholder", .string(option.placeholder ?? "")),
      ("value", option.hint.map(hint) ?? members([])),
      ("default", .string(option.defaultText ?? "")),
      ("repeatable", .bool(option.isRepeatable)),
      ("required", .bool(option.isRequired)),
      ("hidden", .bool(option.isHidden)),
    ])
  }

  private static func argument(_ argument: ArgumentDescription) -> JSONValue {
    let (least, most): (Int, Int?) =
      switch argument.presence {
      case .required: (1, 1)
      case .optional: (0, 1)
      case .repeated(let atLeast): (atLeast, nil)
      }
    return object([
      ("placeholder", .string(argument.placeholder)),
      ("help", .string(argument.help)),
      ("value", hint(argument.hint)),
      ("atLeast", .integer(Int64(least))),
      ("atMost", most.map({ .integer(Int64($0)) }) ?? .string("")),
    ])
  }

  private static func hint(_ hint: ValueHint) -> JSONValue {
    let (kind, directory): (String, String) =
      switch hint {
      case .text: ("text", "")
      case .file: ("file", "")
      case .directory: ("directory", "")
      case .choices: ("choices", "")
      case .suggestions: ("suggestions", "")
      case .list: ("list", "")
      case .entries(let directory): ("entries", directory)
      }
    let words = hint.words.map { object([("name", .string($0.name)), ("help", .string($0.help))]) }
    return object([
      ("kind", .string(kind)), ("directory", .string(directory)), ("words", .array(words)),
    ])
  }

  private static func pair(
    _ first: String, _ one: String, _ second: String, _ two: String
  ) -> JSONValue {
    members([(first, .string(one)), (second, .string(two))])
  }

  private static func members(_ members: [(String, JSONValue)]) -> JSONValue {
    var object = JSONObject()
    for (name, value) in members { object.append(name, value) }
    return .object(object)
  }

  /// An object without the members that say nothing.
  private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    self.members(
      members.filter { member in
        switch member.1 {
        case .string(""), .bool(false): false
        case .array(let values): !values.isEmpty
        case .object(let inner): !inner.members.isEmpty
        case .null, .string, .bool, .integer, .real: true
        }
      })
  }
}
