extension OptionDescription {
  /// The words of which its value is one; nil where there is more than words.
  var choices: [String]? {
    if case .value(_, .choices(let words)) = form { words.map(\.name) } else { nil }
  }

  /// Whether a word that stands for several commands is meant for others of them: this option cannot
  /// be that, and theirs can.
  func leaves(_ word: String, toOthersBelow command: CommandDescription) -> Bool {
    guard let choices, !choices.contains(word) else { return false }
    return command.hasChoice(word, of: long)
  }

  /// What a text that stands outside the command line says about the option: in a file, or in a
  /// variable of the environment.
  func occurrences(
    of text: String, spelling: String, _ place: UsageError.Place
  ) throws(UsageError) -> [Occurrence] {
    func occurrence(_ given: Given) -> Occurrence {
      Occurrence(option: long, given: given, spelling: spelling, place: place)
    }
    func badValue(_ reason: String, _ hint: String) -> UsageError {
      UsageError(
        .badValue, place, "\(QuotedWord.quote(text)) for \(spelling) \(reason)", hint: hint)
    }
    switch form {
    case .value: return [occurrence(.text(text))]
    case .flag, .negatableFlag:
      switch text {
      case "yes", "true", "on": return [occurrence(.on)]
      case "no", "false", "off": return [occurrence(.off)]
      default: throw badValue("is neither yes nor no", "use yes or no")
      }
    case .count:
      guard let count = Int(text), (0...9).contains(count) else {
        throw badValue("is not a number of times", "use a whole number from 0 to 9")
      }
      return Array(repeating: occurrence(.on), count: count)
    }
  }
}
