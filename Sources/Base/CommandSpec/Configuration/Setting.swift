/// What holds for an option of a command, and who said so.
public struct Setting: Sendable, Equatable {
  /// Where a value comes from.
  public enum Origin: Sendable, Equatable {
    /// Nobody said anything: what the program does by itself.
    case usual
    /// A line of a configuration file.
    case file(String, line: Int)
    /// A variable of the environment.
    case environment(String)
  }

  /// The option.
  public let option: OptionDescription
  /// Its value as it was written, `yes` or `no` for flags; nil where there is none, and none by
  /// itself.
  public let value: String?
  /// Who said so.
  public let origin: Origin
}

extension CommandNode {
  /// What holds for each option of a command when nothing is said on the command line; several times
  /// for options of which each counts. What no command knows, or cannot be read, is left out.
  ///
  /// - Parameters:
  ///   - words: those that lead to the command, behind the program's name.
  ///   - files: the later ones win.
  ///   - value: the value of a variable, nil when it is not set.
  /// - Throws: `UsageError` when the words lead nowhere.
  public func settings(
    of words: [String], files: [ConfigurationFile], environment value: (String) -> String?
  ) throws(UsageError) -> [Setting] {
    var scan = try WordScan(words, root: description)
    let check = ConfigurationCheck(self)
    let bad = Set(check.mistakes(inEnvironment: value).map(\.variable))
    scan.occurrences = try EnvironmentMerge(root: description, command: scan.command).merge(
      into: scan
    ) {
      bad.contains($0) ? nil : value($0)
    }
    for file in files.reversed() {
      let lines = check.problems(with: file).compactMap { problem -> Int? in
        if case .file(_, let line) = problem.place { line } else { nil }
      }
      let merge = ConfigurationMerge(root: description, file: file.leavingOut(Set(lines)))
      scan.occurrences = try merge.merge(into: scan)
    }
    return scan.command.options.filter { !$0.isHidden || $0.isOnlyInFiles }.flatMap { option in
      Self.settings(of: option, scan.occurrences.filter { $0.option == option.long })
    }
  }

  private static func settings(
    of option: OptionDescription, _ given: [Occurrence]
  ) -> [Setting] {
    guard let last = given.last else {
      return [Setting(option: option, value: option.defaultText, origin: .usual)]
    }
    if option.form == .count {
      return [Setting(option: option, value: String(given.count), origin: origin(of: last))]
    }
    return (option.isRepeatable ? given : [last]).map { occurrence in
      let value =
        switch occurrence.given {
        case .on: "yes"
        case .off: "no"
        case .text(let text), .named(_, let text): text
        }
      return Setting(option: option, value: value, origin: origin(of: occurrence))
    }
  }

  private static func origin(of occurrence: Occurrence) -> Setting.Origin {
    if case .file(let name, let line) = occurrence.place { return .file(name, line: line) }
    return .environment(occurrence.spelling)
  }
}
