extension CommandDescription {
  /// What is wrong with the declaration of this command and of those below it, a line each; a test
  /// of the program holds this empty.
  ///
  /// Names used twice or reserved, exclusions of options that do not exist, arguments in an order
  /// that cannot be parsed, words that a shell would not take unquoted, and missing help.
  public func declarationProblems(below path: [String] = []) -> [String] {
    let here = path + [name]
    var problems: [String] = []
    func complain(_ text: String) { problems.append(here.joined(separator: " ") + ": " + text) }

    if !Self.isShellWord(name) { complain("its name is not a plain word") }
    if !summary.hasSuffix(".") { complain("the summary does not end with a full stop") }
    let reserved = CommandPage.builtIn(atTop: path.isEmpty).flatMap(\.names)
    var seen = Set(reserved)
    for option in options {
      for name in option.names where !seen.insert(name).inserted {
        complain("\(name) is declared twice or reserved")
      }
      if option.help.isEmpty || option.help.hasSuffix(".") {
        complain("--\(option.long) needs help without a full stop")
      }
      if !Self.isShellWord(option.long) { complain("--\(option.long) is not a plain word") }
      if let short = option.short, !(short.isASCII && (short.isLetter || short.isNumber)) {
        complain("-\(short) is neither a letter nor a digit")
      }
    }
    for long in exclusive.joined() where !options.contains(where: { $0.long == long }) {
      complain("--\(long) excludes others but is not declared")
    }
    for long in valueExclusions.flatMap({ [$0.option, $0.other] })
    where !options.contains(where: { $0.long == long }) {
      complain("--\(long) excludes others but is not declared")
    }
    for hint in options.compactMap(\.hint) + arguments.map(\.hint) {
      for word in hint.words where !Self.isShellWord(word.name) {
        complain("the choice '\(word.name)' is not a plain word")
      }
      if case .entries(let directory) = hint, !directory.allSatisfy(Self.isPathCharacter) {
        complain("the directory '\(directory)' is not a plain path")
      }
    }
    complainAboutArguments(complain)
    if !isRunnable && subcommands.isEmpty { complain("it can do nothing") }
    var names: Set<String> = []
    for subcommand in subcommands where !names.insert(subcommand.name).inserted {
      complain("the command \(subcommand.name) is declared twice")
    }
    return problems + subcommands.flatMap { $0.declarationProblems(below: here) }
  }

  private func complainAboutArguments(_ complain: (String) -> Void) {
    // One word that may be missing is told from the names of commands; what is asked for is not.
    let isOneOptional = arguments.count == 1 && arguments[0].presence == .optional
    if !arguments.isEmpty, !subcommands.isEmpty, !isOneOptional {
      complain("it has both arguments and subcommands")
    }
    var mayBeAbsent = false
    for (index, argument) in arguments.enumerated() {
      switch argument.presence {
      case .required where mayBeAbsent:
        complain("\(argument.placeholder) is required but follows one that is not")
      case .required: break
      case .optional: mayBeAbsent = true
      case .repeated:
        mayBeAbsent = true
        if index + 1 < arguments.count {
          complain("\(argument.placeholder) is repeated but not the last")
        }
      }
      if argument.help.isEmpty { complain("\(argument.placeholder) needs help") }
    }
  }

  private static func isShellWord(_ word: String) -> Bool {
    !word.isEmpty && !word.hasPrefix("-") && word.allSatisfy { isPathCharacter($0) && $0 != "/" }
  }

  private static func isPathCharacter(_ character: Character) -> Bool {
    character.isASCII
      && (character.isLetter || character.isNumber || "-_.:+/".contains(character))
  }
}
