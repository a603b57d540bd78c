/// Brings a configuration file and a command line together; the command line wins.
struct ConfigurationMerge {
  let root: CommandDescription
  let file: ConfigurationFile

  /// The occurrences of the command line, preceded by those of the file that add to them.
  func merge(into scan: WordScan) throws(UsageError) -> [Occurrence] {
    try checkSections()
    for entry in file.entries { try checkKey(entry) }
    let command = scan.command
    var taken = scan.occurrences
    // The nearest section first: what it says hides what farther ones say.
    for depth in (0..<scan.path.count).reversed() {
      let section = Array(scan.path[1...].prefix(depth))
      var added: [Occurrence] = []
      for entry in file.entries where entry.section == section {
        guard let option = command.options.first(where: { $0.long == entry.key }),
          !command.decides(entry.key, in: taken)
        else { continue }
        added += try occurrences(of: option, entry)
      }
      taken = added + taken
    }
    return taken
  }

  private func occurrences(
    of option: OptionDescription, _ entry: ConfigurationFile.Entry
  ) throws(UsageError) -> [Occurrence] {
    let place = place(entry.line)
    func occurrence(_ given: Given) -> Occurrence {
      Occurrence(option: option.long, given: given, spelling: entry.key, place: place)
    }
    switch option.form {
    case .value:
      return [occurrence(.text(entry.value))]
    case .flag, .negatableFlag:
      switch entry.value {
      case "yes", "true", "on": return [occurrence(.on)]
      case "no", "false", "off": return [occurrence(.off)]
      default: throw badValue(entry, "is neither yes nor no", "use yes or no")
      }
    case .count:
      guard let count = Int(entry.value), (0...9).contains(count) else {
        throw badValue(entry, "is not a number of times", "use a whole number from 0 to 9")
      }
      return Array(repeating: occurrence(.on), count: count)
    }
  }

  private func checkSections() throws(UsageError) {
    for section in file.sections where command(at: section.path) == nil {
      let known = root.pages().dropFirst().map { $0.path.dropFirst().joined(separator: " ") }
      let written = section.path.joined(separator: " ")
      let near = Suggestion.nearest(to: written, among: known)
      throw UsageError(
        .unknownSection, place(section.line),
        "there is no command \(QuotedWord.quote(written))",
        hint: near.map { "did you mean [\($0)]?" } ?? "see '\(root.name) --help' for the commands")
    }
  }

  private func checkKey(_ entry: ConfigurationFile.Entry) throws(UsageError) {
    guard let command = command(at: entry.section) else { return }
    let known = Self.keys(of: command)
    if known.contains(entry.key) { return }
    let whole = ([root.name] + entry.section).joined(separator: " ")
    let reason = "unknown key \(QuotedWord.quote(entry.key))"
    let hint: String
    if let near = Suggestion.nearest(to: entry.key, among: known.sorted()) {
      hint = "did you mean \(near)?"
    } else {
      hint = "the keys are the long options of '\(whole) --help'"
    }
    throw UsageError(.unknownKey, place(entry.line), reason, hint: hint)
  }

  /// The long options of a command and of those below it.
  private static func keys(of command: CommandDescription) -> Set<String> {
    command.subcommands.reduce(into: Set(command.options.map(\.long))) {
      $0.formUnion(keys(of: $1))
    }
  }

  private func command(at path: [String]) -> CommandDescription? {
    var command: CommandDescription? = root
    for name in path { command = command?.subcommand(named: name) }
    return command
  }

  private func place(_ line: Int) -> UsageError.Place { .file(file.name, line: line) }

  private func badValue(
    _ entry: ConfigurationFile.Entry, _ reason: String, _ hint: String
  ) -> UsageError {
    UsageError(
      .badValue, place(entry.line), "\(QuotedWord.quote(entry.value)) for \(entry.key) \(reason)",
      hint: hint)
  }
}
