/// Why a command line, or a line of a configuration file, cannot be understood.
///
/// `description` is one line: where, what is wrong, what to do. The program ends with its usage
/// exit code.
public struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What kind of mistake it is.
  public enum Kind: Sendable, Equatable {
    /// No option of that name.
    case unknownOption
    /// An option stands without its value.
    case missingValue
    /// A flag stands with a value.
    case unexpectedValue
    /// A value cannot be read or is out of range.
    case badValue
    /// Options that exclude each other, or that make no sense together.
    case conflict
    /// A required option is not there.
    case missingOption
    /// No command of that name.
    case unknownSubcommand
    /// A command that only holds others stands alone.
    case missingSubcommand
    /// A required argument is not there.
    case missingArgument
    /// More arguments than the command takes.
    case unexpectedArgument
    /// A line of the configuration file is no section, key or comment.
    case badConfigurationLine
    /// The configuration file names a command that does not exist.
    case unknownSection
    /// The configuration file has a key that is no option there.
    case unknownKey
  }

  /// Where the mistake stands.
  public enum Place: Sendable, Equatable {
    /// On the command line of this command: `["luna", "scan"]`.
    case command([String])
    /// In this line of a configuration file.
    case file(String, line: Int)
  }

  /// What kind of mistake it is.
  public var kind: Kind
  /// Where it stands.
  public var place: Place
  /// What is wrong.
  public var reason: String
  /// What to do about it.
  public var hint: String
  /// The option that the command has not, where it is like none that it has.
  var option: String?

  package init(_ kind: Kind, _ place: Place, _ reason: String, hint: String) {
    self.kind = kind
    self.place = place
    self.reason = reason
    self.hint = hint
  }

  /// One line: where, what, what to do.
  public var description: String { "\(problem); \(hint)" }

  /// Where, and what.
  package var problem: String {
    switch place {
    case .command(let path): "\(path.joined(separator: " ")): \(reason)"
    case .file(let name, let line): "\(name):\(line): \(reason)"
    }
  }

  static func seeHelp(_ place: Place) -> String {
    if case .command(let path) = place {
      "see '\(path.joined(separator: " ")) --help'"
    } else {
      "see --help of the command"
    }
  }

  static func badValue<Options>(
    _ occurrence: Occurrence, _ problem: ValueProblem, _ option: Option<Options>
  ) -> UsageError {
    let shown = option.description.isSecret ? nil : occurrence.text
    return badValue(
      shown, for: occurrence.spelling, problem, expects: option.expects, occurrence.place)
  }

  static func badValue<Options>(
    _ word: String, _ problem: ValueProblem, _ argument: Argument<Options>, _ place: Place
  ) -> UsageError {
    badValue(
      argument.isSecret ? nil : word, for: argument.description.placeholder, problem,
      expects: argument.expects, place)
  }

  private static func badValue(
    _ shown: String?, for name: String, _ problem: ValueProblem, expects: String, _ place: Place
  ) -> UsageError {
    let value = shown.map { QuotedWord.quote($0) } ?? "the value"
    return UsageError(
      .badValue, place, "\(value) for \(name) \(problem.reason)",
      hint: problem.remedy ?? "use \(expects)")
  }
}
