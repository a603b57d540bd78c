/// The declaration of one command: from it come the parser, help, completions and manual page.
///
/// A whole subcommand:
///
/// ```swift
/// struct CaptureOptions: Sendable {
///   var file = ""
///   var listen = ListenOptions()
///   var general = GeneralOptions()
/// }
///
/// let capture = Command(
///   "capture", "Write what is in the air to a file, without decoding it.",
///   initial: CaptureOptions(),
///   groups: [
///     OptionGroup("Options", [
///       .value("write", short: "w", "FILE", "Write to this file", \.file, .file).required()
///     ]),
///     ListenOptions.group.scoped(to: \.listen),
///     GeneralOptions.group.scoped(to: \.general),
///   ],
///   examples: [Example("luna capture -w air.pcapng -T 10s", "Ten seconds of air")]
/// )
///
/// typealias Action = @Sendable () async throws -> Void
///
/// let luna = CommandNode<Action>(
///   "luna", "A toolkit for Bluetooth LE trackers.", groups: [GeneralOptions.group.description],
///   subcommands: [
///     capture.node { options in { try await runCapture(options) } }
///   ])
///
/// switch try luna.parse(words) {
/// case .help(let text): print(text, terminator: "")
/// case .version: print(version)
/// case .specification(let json): print(json, terminator: "")
/// case .run(let match):
///   let action = try match.resolve()  // merge a configuration file before, where one is named
///   try await action()
/// }
/// ```
///
/// The groups of the parent are those that may stand before the subcommand's name, as in
/// `luna -v capture`; what is given there counts for the subcommand.
public struct Command<Options: Sendable>: Sendable {
  /// What help, completions and manual know of it.
  public let description: CommandDescription
  let initial: Options
  let arguments: [Argument<Options>]
  let options: [String: Option<Options>]
  let check: @Sendable (Options) throws(ValueProblem) -> Void

  /// A command with its options and arguments.
  ///
  /// - Parameters:
  ///   - name: the word that calls it.
  ///   - summary: what it does, in one sentence with a full stop.
  ///   - discussion: paragraphs that say more.
  ///   - initial: the value of the options when none is given.
  ///   - arguments: the words that are no options; required ones first, a repeated one last.
  ///   - groups: the options; the first group is spelt out in the synopsis.
  ///   - examples: lines that one can type.
  ///   - exitStatuses: the numbers it ends with.
  ///   - environment: the variables it looks at.
  ///   - borrowed: what it takes from other sections of a configuration file, the nearest first.
  ///   - seeAlso: manual pages of other programs.
  ///   - isHidden: whether help and completions keep quiet about it.
  ///   - check: looks at options that depend on each other; its reason follows the command's name.
  public init(
    _ name: String, _ summary: String, discussion: [String] = [], initial: Options,
    arguments: [Argument<Options>] = [], groups: [OptionGroup<Options>] = [],
    examples: [Example] = [], exitStatuses: [ExitStatus] = [],
    environment: [EnvironmentVariable] = [], borrowed: [BorrowedKeys] = [],
    seeAlso: [ManualReference] = [],
    isHidden: Bool = false,
    check: @escaping @Sendable (Options) throws(ValueProblem) -> Void = { _ in }
  ) {
    var description = CommandDescription(name, summary)
    description.discussion = discussion
    description.arguments = arguments.map(\.description)
    description.groups = groups.map(\.description)
    description.examples = examples
    description.borrowed = borrowed
    description.exitStatuses = exitStatuses
    description.environment = environment
    description.seeAlso = seeAlso
    description.isHidden = isHidden
    self.description = description
    self.initial = initial
    self.arguments = arguments
    self.options = Dictionary(
      groups.flatMap(\.options).map { ($0.description.long, $0) }, uniquingKeysWith: { $1 })
    self.check = check
  }

  /// The command as part of a tree; `run` makes of its options what the program wants to have.
  public func node<Outcome>(
    subcommands: [CommandNode<Outcome>] = [], run: @escaping @Sendable (Options) -> Outcome
  ) -> CommandNode<Outcome> {
    CommandNode(
      description: description, subcommands: subcommands,
      check: { occurrence throws(UsageError) in
        var values = initial
        try apply(occurrence, to: &values)
      },
      resolve: { occurrences, operands, place throws(UsageError) in
        run(try resolve(occurrences, operands, place))
      })
  }

  /// Reads the words after the command's name as the command alone would; for tests.
  public func parse(_ words: [String]) throws(UsageError) -> Options {
    let scan = try WordScan(words, root: description)
    return try resolve(scan.occurrences, scan.operands, scan.place)
  }

  private func resolve(
    _ occurrences: [Occurrence], _ operands: [String], _ place: UsageError.Place
  ) throws(UsageError) -> Options {
    var values = initial
    for occurrence in occurrences { try apply(occurrence, to: &values) }
    try requireOptions(occurrences, place)
    try fillArguments(&values, operands, place)
    do throws(ValueProblem) {
      try check(values)
    } catch {
      throw UsageError(
        .conflict, place, error.reason, hint: error.remedy ?? UsageError.seeHelp(place))
    }
    return values
  }

  private func apply(_ occurrence: Occurrence, to values: inout Options) throws(UsageError) {
    guard let option = options[occurrence.option] else { return }
    do throws(ValueProblem) {
      try option.apply(&values, occurrence.given)
    } catch {
      throw .badValue(occurrence, error, option)
    }
  }

  private func requireOptions(
    _ occurrences: [Occurrence], _ place: UsageError.Place
  ) throws(UsageError) {
    for option in description.options
    where option.isRequired && !occurrences.contains(where: { $0.option == option.long }) {
      let placeholder = option.placeholder.map { " \($0)" } ?? ""
      throw UsageError(
        .missingOption, place, "--\(option.long) is missing",
        hint: "add --\(option.long)\(placeholder)")
    }
  }

  private func fillArguments(
    _ values: inout Options, _ operands: [String], _ place: UsageError.Place
  ) throws(UsageError) {
    var rest = operands[...]
    for argument in arguments {
      let wanted: Int
      switch argument.description.presence {
      case .required: wanted = 1
      case .optional: wanted = min(1, rest.count)
      case .repeated(let atLeast): wanted = max(atLeast, rest.count)
      }
      guard rest.count >= wanted else {
        let name = argument.description.placeholder
        throw UsageError(
          .missingArgument, place, "\(name) is missing", hint: UsageError.seeHelp(place))
      }
      for word in rest.prefix(wanted) {
        do throws(ValueProblem) {
          try argument.apply(&values, word)
        } catch {
          throw .badValue(word, error, argument, place)
        }
      }
      rest = rest.dropFirst(wanted)
    }
    guard let extra = rest.first else { return }
    throw UsageError(
      .unexpectedArgument, place, "unexpected argument \(QuotedWord.quote(extra))",
      hint: UsageError.seeHelp(place))
  }
}
