/// A command in a tree of commands whose options are of different types; `Outcome` is what the
/// program makes of any of them, for instance a closure that runs it.
public struct CommandNode<Outcome>: Sendable {
  typealias Resolve =
    @Sendable ([Occurrence], [String], UsageError.Place) throws(UsageError) -> Outcome

  /// What help, completions and manual know of the command and of those below it.
  public let description: CommandDescription
  let subcommands: [CommandNode]
  let resolve: Resolve?
  /// Reads the value of an option, and throws what is wrong with it; nil for what only holds others.
  let check: (@Sendable (Occurrence) throws(UsageError) -> Void)?

  init(
    description: CommandDescription, subcommands: [CommandNode],
    check: (@Sendable (Occurrence) throws(UsageError) -> Void)? = nil, resolve: Resolve?
  ) {
    self.check = check
    var description = description
    description.subcommands = subcommands.map(\.description)
    description.isRunnable = resolve != nil
    self.description = description
    self.subcommands = subcommands
    self.resolve = resolve
  }

  /// A command that does nothing but hold others.
  ///
  /// - Parameters:
  ///   - name: the word that calls it.
  ///   - summary: what it is for, in one sentence with a full stop.
  ///   - discussion: paragraphs that say more.
  ///   - groups: options that may stand before the subcommand's name; each subcommand for which
  ///     they make sense has to declare them too.
  ///   - subcommands: the commands below.
  ///   - examples: lines that one can type.
  ///   - exitStatuses: the numbers that the commands end with.
  ///   - environment: the variables they look at.
  ///   - seeAlso: manual pages of other programs.
  public init(
    _ name: String, _ summary: String, discussion: [String] = [],
    groups: [OptionGroupDescription] = [], subcommands: [CommandNode],
    examples: [Example] = [], exitStatuses: [ExitStatus] = [],
    environment: [EnvironmentVariable] = [], seeAlso: [ManualReference] = []
  ) {
    var description = CommandDescription(name, summary)
    description.discussion = discussion
    description.groups = groups
    description.examples = examples
    description.exitStatuses = exitStatuses
    description.environment = environment
    description.seeAlso = seeAlso
    self.init(description: description, subcommands: subcommands, resolve: nil)
  }

  /// Reads the words after the program's name.
  ///
  /// `help` as the first word is the same as `--help` after the others.
  ///
  /// - Parameter width: how wide help may be.
  public func parse(
    _ words: [String], width: Int = HelpText.widest
  ) throws(UsageError) -> Request<Outcome> {
    let scan = try WordScan(words, root: description)
    switch scan.builtIn {
    case .help: return .help(HelpText.text(for: scan.page, width: width))
    case .version: return .version
    case .specification: return .specification(SpecificationDump.json(description))
    case nil: break
    }
    guard let resolve = node(at: scan.path)?.resolve else {
      let names = scan.page.visibleSubcommands.map(\.name)
      throw UsageError(
        .missingSubcommand, scan.place, "a command is missing",
        hint: names.count > 6 ? UsageError.seeHelp(scan.place) : "use \(listing(names, "or"))")
    }
    return .run(Match(root: description, scan: scan, resolver: resolve))
  }

  private func node(at path: [String]) -> CommandNode? { node(below: path.dropFirst()) }

  /// The command that words behind this one lead to.
  func node(below words: some Sequence<String>) -> CommandNode? {
    var node = self
    for name in words {
      guard let next = node.subcommands.first(where: { $0.description.name == name }) else {
        return nil
      }
      node = next
    }
    return node
  }
}
