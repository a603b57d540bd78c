/// Looks for mistakes in configuration files and in the environment, without running anything.
public struct ConfigurationCheck<Outcome> {
  private let root: CommandNode<Outcome>

  /// - Parameter root: the whole program.
  public init(_ root: CommandNode<Outcome>) { self.root = root }

  /// All that is wrong with a file that could be read, in the order of its lines: words that no
  /// command knows, values that a command of their section cannot take, and settings of one section
  /// that exclude each other.
  public func problems(with file: ConfigurationFile) -> [UsageError] {
    let merge = ConfigurationMerge(root: root.description, file: file)
    var problems: [(line: Int, error: UsageError)] = []
    for section in file.sections {
      if let problem = merge.problem(with: section) { problems.append((section.line, problem)) }
    }
    for entry in file.entries {
      let place = UsageError.Place.file(file.name, line: entry.line)
      if let problem = merge.problem(with: entry) {
        problems.append((entry.line, problem))
      } else if let node = root.node(
        below: root.description.named(entry.section)?.command ?? entry.section),
        let problem = problem(
          with: entry.value, of: entry.key, spelling: entry.key, place, in: node)
      {
        problems.append((entry.line, problem))
      }
    }
    return (problems + conflicts(in: file)).sorted { $0.line < $1.line }.map(\.error)
  }

  /// All that is wrong with variables that give values to options.
  ///
  /// - Parameter value: the value of a variable, nil when it is not set.
  public func problems(withEnvironment value: (String) -> String?) -> [UsageError] {
    mistakes(inEnvironment: value).map(\.error)
  }

  /// The variables with which something is wrong, and what.
  func mistakes(
    inEnvironment value: (String) -> String?
  ) -> [(variable: String, error: UsageError)] {
    var seen: Set<String> = []
    var mistakes: [(variable: String, error: UsageError)] = []
    for option in Self.options(below: root.description) {
      guard let variable = option.variable, seen.insert(variable).inserted,
        let text = value(variable), !text.isEmpty
      else { continue }
      let place = UsageError.Place.command([root.description.name])
      if let problem = problem(with: text, of: option.long, spelling: variable, place, in: root) {
        mistakes.append((variable, problem))
      }
    }
    return mistakes
  }

  /// The first command at or below a node that cannot take a value says why.
  private func problem(
    with text: String, of key: String, spelling: String, _ place: UsageError.Place,
    in node: CommandNode<Outcome>, below top: CommandDescription? = nil
  ) -> UsageError? {
    if let check = node.check,
      let option = node.description.options.first(where: { $0.long == key }),
      !option.leaves(text, toOthersBelow: top ?? node.description)
    {
      do throws(UsageError) {
        for occurrence in try option.occurrences(of: text, spelling: spelling, place) {
          try check(occurrence)
        }
      } catch {
        return error
      }
    }
    for next in node.subcommands {
      if let problem = problem(
        with: text, of: key, spelling: spelling, place, in: next,
        below: top ?? node.description)
      {
        return problem
      }
    }
    return nil
  }

  private func conflicts(in file: ConfigurationFile) -> [(line: Int, error: UsageError)] {
    var found: [(line: Int, error: UsageError)] = []
    for section in Set(file.entries.map(\.section)) {
      guard let command = root.description.command(at: section) else { continue }
      let entries = file.entries.filter {
        $0.section == section && !["no", "false", "off"].contains($0.value)
      }
      for set in Set(Self.exclusions(below: command)) {
        let given = entries.filter { set.contains($0.key) }
        guard let first = given.first, let other = given.first(where: { $0.key != first.key })
        else { continue }
        found.append(
          (
            other.line,
            UsageError(
              .conflict, .file(file.name, line: other.line),
              "\(first.key) and \(other.key) exclude each other", hint: "keep one of them")
          ))
      }
      for exclusion in Set(Self.valueExclusions(below: command)) {
        guard
          let value = entries.last(where: { $0.key == exclusion.option }),
          let other = entries.last(where: { $0.key == exclusion.other }),
          exclusion.means(value.value)
        else { continue }
        found.append(
          (
            other.line,
            UsageError(
              .conflict, .file(file.name, line: other.line),
              "\(other.key) means nothing beside \(value.key) \(exclusion.value)",
              hint: "keep one of them")
          ))
      }
    }
    return found
  }

  private static func options(below command: CommandDescription) -> [OptionDescription] {
    command.options + command.subcommands.flatMap { options(below: $0) }
  }

  private static func exclusions(below command: CommandDescription) -> [[String]] {
    command.exclusive + command.subcommands.flatMap { exclusions(below: $0) }
  }

  private static func valueExclusions(below command: CommandDescription) -> [ValueExclusion] {
    command.valueExclusions + command.subcommands.flatMap { valueExclusions(below: $0) }
  }
}
