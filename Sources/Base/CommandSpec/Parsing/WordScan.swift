import SafeText

/// The words of a command line, told apart: the command, its options, its arguments. No value is
/// converted yet.
struct WordScan: Sendable {
  /// A request that every command, or the top, understands by itself.
  enum BuiltIn { case help, version, specification }

  /// The commands from the root to the one that was named.
  private(set) var chain: [CommandDescription]
  var occurrences: [Occurrence] = []
  private(set) var operands: [String] = []
  private(set) var builtIn: BuiltIn?
  private var rest: ArraySlice<String>

  var path: [String] { chain.map(\.name) }
  var place: UsageError.Place { .command(path) }
  var command: CommandDescription { chain[chain.count - 1] }
  var page: CommandPage { CommandPage(path: path, command: command) }

  init(_ words: [String], root: CommandDescription) throws(UsageError) {
    chain = [root]
    rest = words[...]
    var optionsEnded = false
    while builtIn == nil, let word = rest.popFirst() {
      if optionsEnded || word == "-" || !word.hasPrefix("-") {
        try takeWord(word, mayBeCommand: !optionsEnded)
      } else if word == "--" {
        optionsEnded = true
      } else if word.hasPrefix("--") {
        try takeLong(word)
      } else {
        try takeShorts(word)
      }
    }
    if builtIn == nil { try handDownOptions() }
  }

  /// Options that exclude each other and were both given.
  func checkExclusions() throws(UsageError) {
    for set in command.exclusive {
      let given = set.compactMap { name in
        occurrences.last { $0.option == name && $0.given != .off }
      }
      guard given.count > 1 else { continue }
      throw UsageError(
        .conflict, given[1].place,
        "\(given[0].spelling) and \(given[1].spelling) exclude each other",
        hint: "give one of them")
    }
    for exclusion in command.valueExclusions {
      guard
        let value = occurrences.last(where: { $0.option == exclusion.option }),
        let other = occurrences.last(where: { $0.option == exclusion.other }),
        exclusion.means(value.text)
      else { continue }
      throw UsageError(
        .conflict, other.place,
        "\(other.spelling) means nothing beside \(value.spelling) \(exclusion.value)",
        hint: "give one of them")
    }
  }

  private mutating func takeWord(_ word: String, mayBeCommand: Bool) throws(UsageError) {
    if mayBeCommand, operands.isEmpty {
      if let next = command.subcommand(named: word) {
        chain.append(next)
        return
      }
      if chain.count == 1, word == "help", !command.subcommands.isEmpty {
        rest.append("--help")
        return
      }
    }
    if !command.subcommands.isEmpty, command.arguments.isEmpty {
      throw unknownSubcommand(word)
    }
    operands.append(word)
  }

  private mutating func takeLong(_ word: String) throws(UsageError) {
    let body = word.dropFirst(2)
    let name = String(body.prefix { $0 != "=" })
    let inlineValue = name.count < body.count ? String(body.dropFirst(name.count + 1)) : nil
    if let builtIn = builtIn(long: name) {
      if inlineValue != nil { throw unexpectedValue("--\(name)") }
      self.builtIn = builtIn
      return
    }
    if let option = command.options.first(where: { $0.long == name }) {
      try take(option, spelling: "--\(name)", inlineValue: inlineValue)
    } else if name.hasPrefix("no-"),
      let option = command.options.first(where: {
        $0.form == .negatableFlag && $0.long == name.dropFirst(3)
      })
    {
      if inlineValue != nil { throw unexpectedValue("--\(name)") }
      occurrences.append(
        Occurrence(option: option.long, given: .off, spelling: "--\(name)", place: place))
    } else {
      throw unknownOption("--\(name)")
    }
  }

  private mutating func takeShorts(_ word: String) throws(UsageError) {
    var letters = word.dropFirst()
    while let letter = letters.popFirst() {
      if letter == "h" {
        builtIn = .help
        return
      }
      guard let option = command.options.first(where: { $0.short == letter }) else {
        throw unknownOption("-\(letter)", in: word)
      }
      if option.placeholder == nil {
        try take(option, spelling: "-\(letter)", inlineValue: nil)
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      try take(
        option, spelling: "-\(letter)", inlineValue: letters.isEmpty ? nil : String(letters))
      return
    }
  }

  private mutating func take(
    _ option: OptionDescription, spelling: String, inlineValue: String?
  ) throws(UsageError) {
    guard !option.isOnlyInFiles else {
      throw UsageError(
        .unknownOption, place, "\(spelling) can stand in a configuration file only",
        hint: "write '\(option.long) = VALUE' into the section of the command")
    }
    if option.isGivenOnce, occurrences.contains(where: { $0.option == option.long }) {
      throw UsageError(
        .conflict, place, "\(spelling) is given twice", hint: "each run takes one")
    }
    let given: Given
    if option.placeholder == nil {
      if inlineValue != nil { throw unexpectedValue(spelling) }
      given = .on
    } else if let inlineValue {
      given = .text(inlineValue)
    } else if let implied = option.impliedValue, !isValue(rest.first) {
      given = .text(implied)
    } else {
      given = .text(try takeValue(of: option, spelling: spelling))
    }
    occurrences.append(
      Occurrence(option: option.long, given: given, spelling: spelling, place: place))
  }

  /// Whether a word can only be the value of an option that may stand alone.
  private func isValue(_ word: String?) -> Bool {
    guard let word, !word.hasPrefix("-") else { return false }
    return command.arguments.isEmpty && command.subcommand(named: word) == nil
  }

  /// The next word, unless it is so clearly an option that the value must have been forgotten.
  private mutating func takeValue(
    of option: OptionDescription, spelling: String
  ) throws(UsageError) -> String {
    let wanted = option.placeholder ?? "VALUE"
    guard let word = rest.first else {
      throw UsageError(
        .missingValue, place, "\(spelling) needs a value", hint: "write \(spelling) \(wanted)")
    }
    let isShort =
      word.count == 2 && word.hasPrefix("-")
      && (word == "-h" || command.options.contains { $0.short == word.last })
    guard !word.hasPrefix("--"), !isShort else {
      throw UsageError(
        .missingValue, place, "\(spelling) needs a value before \(QuotedWord.quote(word))",
        hint:
          "write \(spelling) \(wanted), or --\(option.long)=\(wanted) if it begins with a hyphen")
    }
    rest.removeFirst()
    return word
  }

  /// What was given before the subcommand's name counts for the subcommand.
  private func handDownOptions() throws(UsageError) {
    for occurrence in occurrences
    where !command.options.contains(where: { $0.long == occurrence.option }) {
      guard case .command(let path) = occurrence.place else { continue }
      throw UsageError(
        .unknownOption, place,
        "\(occurrence.spelling) is an option of '\(path.joined(separator: " "))' and none of this command",
        hint: UsageError.seeHelp(place))
    }
  }

  private func builtIn(long name: String) -> BuiltIn? {
    switch name {
    case "help": .help
    case "version" where chain.count == 1: .version
    case "dump-spec" where chain.count == 1: .specification
    default: nil
    }
  }

  private func unexpectedValue(_ spelling: String) -> UsageError {
    UsageError(
      .unexpectedValue, place, "\(spelling) takes no value", hint: "write \(spelling) alone")
  }

  private func unknownOption(_ name: String, in bundle: String? = nil) -> UsageError {
    var reason = "unknown option \(QuotedWord.quote(name))"
    if let bundle, bundle != name { reason += " in \(QuotedWord.quote(bundle))" }
    let known = page.visibleOptions.flatMap(\.names).filter { $0.hasPrefix("--") }
    if name.hasPrefix("--"), let near = Suggestion.nearest(to: name, among: known) {
      return UsageError(.unknownOption, place, reason, hint: "did you mean \(near)?")
    }
    if command.subcommands.contains(where: { $0.options.contains { $0.names.contains(name) } }) {
      return UsageError(
        .unknownOption, place, reason, hint: "options of a command stand after its name")
    }
    var error = UsageError(.unknownOption, place, reason, hint: UsageError.seeHelp(place))
    if name.hasPrefix("--"), chain.count > 1 { error.option = name }
    return error
  }

  private func unknownSubcommand(_ word: String) -> UsageError {
    let names = page.visibleSubcommands.map(\.name)
    let hint =
      Suggestion.nearest(to: word, among: names).map {
        "did you mean '\((path + [$0]).joined(separator: " "))'?"
      }
      ?? UsageError.seeHelp(place)
    return UsageError(
      .unknownSubcommand, place, "unknown command \(QuotedWord.quote(word))", hint: hint)
  }
}
