import SafeText

/// Brings a configuration file and a command line together; the command line wins.
struct ConfigurationMerge {
  let root: CommandDescription
  let file: ConfigurationFile

  /// The occurrences of the command line, preceded by those of the file that add to them.
  func merge(into scan: WordScan) throws(UsageError) -> [Occurrence] {
    for section in file.sections {
      if let problem = problem(with: section) { throw problem }
    }
    for entry in file.entries {
      if let problem = problem(with: entry) { throw problem }
    }
    let command = scan.command
    var taken = scan.occurrences
    // The nearest section first: what it says hides what farther ones say.
    for section in sections(for: scan) {
      var added: [Occurrence] = []
      for entry in file.entries where entry.section == section.path {
        guard section.keys?.contains(entry.key) ?? true,
          let option = command.options.first(where: { $0.long == entry.key }),
          !command.decides(entry.key, entry.value, in: taken),
          let owner = root.command(at: section.path),
          !option.leaves(entry.value, toOthersBelow: owner)
        else { continue }
        added += try option.occurrences(
          of: entry.value, spelling: entry.key, .file(file.name, line: entry.line))
      }
      taken = added + taken
    }
    return named(in: scan) + taken
  }

  /// What stands in the sections `[COMMAND NAME]` of the command and of those above it. All of it counts:
  /// the command line has none of these.
  private func named(in scan: WordScan) -> [Occurrence] {
    file.entries.compactMap { entry in
      guard let (path, name) = root.named(entry.section), scan.path.dropFirst().starts(with: path),
        scan.command.options.contains(where: { $0.long == entry.key && $0.takesName })
      else { return nil }
      return Occurrence(
        option: entry.key, given: .named(name, value: entry.value), spelling: entry.key,
        place: .file(file.name, line: entry.line))
    }
  }

  /// The sections that count, the nearest first: that of the command and of those above it, what it
  /// borrows, and what stands before all sections; with the keys, where not all of them count.
  private func sections(for scan: WordScan) -> [(path: [String], keys: Set<String>?)] {
    let own = (1..<max(1, scan.path.count)).reversed().map { depth in
      (path: Array(scan.path[1...].prefix(depth)), keys: Set<String>?.none)
    }
    let borrowed = scan.command.borrowed.map { (path: $0.section, keys: Set?.some($0.keys)) }
    return own + borrowed + [(path: [], keys: nil)]
  }

  /// What is wrong with a section: there is no such command.
  func problem(with section: ConfigurationFile.Section) -> UsageError? {
    guard root.command(at: section.path) == nil, root.named(section.path) == nil else { return nil }
    let known = root.pages().dropFirst().map { $0.path.dropFirst().joined(separator: " ") }
    let written = section.path.joined(separator: " ")
    let near = Suggestion.nearest(to: written, among: known)
    return UsageError(
      .unknownSection, place(section.line), "there is no command \(QuotedWord.quote(written))",
      hint: near.map { "did you mean [\($0)]?" } ?? "see '\(root.name) --help' for the commands")
  }

  /// What is wrong with a key: neither the command of its section nor one below it has such an option.
  func problem(with entry: ConfigurationFile.Entry) -> UsageError? {
    // The files are known before any is read (`Match.text(of:)`).
    if entry.key == "config" {
      return UsageError(
        .unknownKey, place(entry.line), "a file names no other one",
        hint: "write here what is in it, or give --config on the command line")
    }
    let known: Set<String>
    if let command = root.command(at: entry.section) {
      known = Self.keys(of: command)
    } else if let (path, _) = root.named(entry.section), let command = root.command(at: path) {
      known = Set(command.options.filter(\.takesName).map(\.long))
    } else {
      return nil
    }
    if known.contains(entry.key) { return nil }
    let whole = ([root.name] + entry.section).joined(separator: " ")
    let reason = "unknown key \(QuotedWord.quote(entry.key))"
    let hint: String
    // Whoever copies an option brings its hyphens along.
    let word = String(entry.key.drop { $0 == "-" })
    if let near = Suggestion.nearest(to: word, among: known.sorted()) {
      hint = "did you mean \(near)?"
    } else {
      hint = "the keys are the long options of '\(whole) --help'"
    }
    return UsageError(.unknownKey, place(entry.line), reason, hint: hint)
  }

  /// The long options of a command and of those below it.
  private static func keys(of command: CommandDescription) -> Set<String> {
    command.subcommands.reduce(into: Set(command.options.map(\.long))) {
      $0.formUnion(keys(of: $1))
    }
  }

  private func place(_ line: Int) -> UsageError.Place { .file(file.name, line: line) }
}
