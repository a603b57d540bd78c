/// A command in its place in the tree: what one page of help or of the manual is about.
public struct CommandPage: Sendable, Equatable {
  /// The words that lead to it, the program's name first.
  public var path: [String]
  /// The command.
  public var command: CommandDescription

  /// A command at the end of a path.
  public init(path: [String], command: CommandDescription) {
    self.path = path
    self.command = command
  }

  /// What one types to call it: `luna owner list`.
  public var line: String { path.joined(separator: " ") }

  /// The name of its manual page: `luna-owner-list`.
  public var manualName: String { path.joined(separator: "-") }

  /// The options that help, completions and manual show: without the hidden ones, and with
  /// `--help` (and `--version` at the top) at the end of the last group.
  public var visibleGroups: [OptionGroupDescription] {
    var groups = command.groups
    if groups.isEmpty { groups = [OptionGroupDescription("Options", [])] }
    groups[groups.count - 1].options += Self.builtIn(atTop: path.count == 1)
    for index in groups.indices { groups[index].options.removeAll(where: \.isHidden) }
    groups.removeAll(where: \.options.isEmpty)
    return groups
  }

  /// The visible options of all groups.
  public var visibleOptions: [OptionDescription] { visibleGroups.flatMap(\.options) }

  /// The visible commands below.
  public var visibleSubcommands: [CommandDescription] {
    command.subcommands.filter { !$0.isHidden }
  }

  /// The options that every command has without declaring them.
  static func builtIn(atTop: Bool) -> [OptionDescription] {
    var options = [OptionDescription("help", short: "h", "Show this help", form: .flag)]
    if atTop {
      options.append(OptionDescription("version", "Show the version", form: .flag))
      var dump = OptionDescription("dump-spec", "Print the whole command line as JSON", form: .flag)
      dump.isHidden = true
      options.append(dump)
    }
    return options
  }
}
