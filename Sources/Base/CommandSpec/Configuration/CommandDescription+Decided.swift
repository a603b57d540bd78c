extension CommandDescription {
  /// The command that words lead to.
  func command(at path: some Sequence<String>) -> CommandDescription? {
    var command: CommandDescription? = self
    for name in path { command = command?.subcommand(named: name) }
    return command
  }

  /// The command and the name of a section `[COMMAND NAME]`; nil where it is that of a command, or where the
  /// command has no options for several things.
  func named(_ section: [String]) -> (command: [String], name: String)? {
    guard let name = section.last, section.count > 1, command(at: section) == nil,
      let owner = command(at: section.dropLast()), owner.options.contains(where: \.takesName),
      name.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || "-_".utf8.contains($0)
      })
    else { return nil }
    return (Array(section.dropLast()), name)
  }

  /// Whether a word is one that an option of this command, or of one below it, can be.
  func hasChoice(_ word: String, of key: String) -> Bool {
    options.contains { $0.long == key && $0.choices?.contains(word) == true }
      || subcommands.contains { $0.hasChoice(word, of: key) }
  }

  /// Whether something nearer to the user decides an option, by naming it or one that it excludes.
  ///
  /// - Parameter text: what is said of it farther away.
  func decides(_ option: String, _ text: String, in taken: [Occurrence]) -> Bool {
    taken.contains { occurrence in
      occurrence.option == option
        || exclusive.contains { $0.contains(option) && $0.contains(occurrence.option) }
        || valueExclusions.contains { $0.excludes(option, text, beside: occurrence) }
    }
  }
}
