/// Brings the environment and a command line together; the command line wins.
struct EnvironmentMerge {
  let root: CommandDescription
  let command: CommandDescription

  /// The occurrences of the command line, preceded by those of the environment that add to them.
  func merge(
    into scan: WordScan, _ value: (String) -> String?
  ) throws(UsageError) -> [Occurrence] {
    var added: [Occurrence] = []
    for option in command.options {
      guard let variable = option.variable, let text = value(variable), !text.isEmpty,
        !command.decides(option.long, text, in: scan.occurrences),
        !option.leaves(text, toOthersBelow: root)
      else { continue }
      added += try option.occurrences(of: text, spelling: variable, scan.place)
    }
    return added + scan.occurrences
  }
}
