/// Everything that can be said of a command: plain data, from which the parser's behaviour, help,
/// completions, manual pages and the JSON dump are made.
public struct CommandDescription: Sendable, Equatable {
  /// The word that calls it, such as `scan`.
  public var name: String
  /// What it does, in one sentence with a full stop.
  public var summary: String
  /// Paragraphs that say more.
  public var discussion: [String] = []
  /// The words that are no options, in their order.
  public var arguments: [ArgumentDescription] = []
  /// Its options; the first group is spelt out in the synopsis.
  public var groups: [OptionGroupDescription] = []
  /// The commands below it.
  public var subcommands: [CommandDescription] = []
  /// Lines that one can type.
  public var examples: [Example] = []
  /// The numbers it ends with.
  public var exitStatuses: [ExitStatus] = []
  /// The variables of the environment it looks at, besides those that give values to options.
  public var environment: [EnvironmentVariable] = []
  /// What it takes from the sections of other commands in a configuration file, the nearest first.
  public var borrowed: [BorrowedKeys] = []
  /// Manual pages of other programs; those of the same program are added by themselves.
  public var seeAlso: [ManualReference] = []
  /// Whether it does something without a subcommand.
  public var isRunnable = true
  /// Whether help and completions keep quiet about it.
  public var isHidden = false

  /// A command of which nothing but its name and purpose is known yet.
  public init(_ name: String, _ summary: String) {
    self.name = name
    self.summary = summary
  }

  /// All declared options, in the order of the groups.
  public var options: [OptionDescription] { groups.flatMap(\.options) }

  /// All variables of the environment it looks at: first those that stand for options.
  public var variables: [EnvironmentVariable] {
    options.filter { !$0.isHidden }.compactMap { option in
      option.variable.map { EnvironmentVariable($0, "Stands for --\(option.long)") }
    } + environment
  }

  /// Sets of long names of which at most one may be given.
  public var exclusive: [[String]] { groups.flatMap(\.exclusive) }

  /// Values beside which another option means nothing.
  public var valueExclusions: [ValueExclusion] { groups.flatMap(\.valueExclusions) }

  /// The command below this one that is called so.
  public func subcommand(named name: String) -> CommandDescription? {
    subcommands.first { $0.name == name }
  }

  /// This command and all visible ones below it, parents first.
  public func pages(below path: [String] = []) -> [CommandPage] {
    let page = CommandPage(path: path + [name], command: self)
    return [page]
      + subcommands.filter { !$0.isHidden }.flatMap { $0.pages(below: page.path) }
  }
}
