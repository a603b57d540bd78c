/// Brings the environment and a command line together; the command line wins.
struct EnvironmentMerge {
  let command: CommandDescription

  /// The occurrences of the command line, preceded by those of the environment that add to them.
  func merge(into scan: WordScan, _ value: (String) -> String?) -> [Occurrence] {
    let added = command.options.compactMap { option -> Occurrence? in
      guard let variable = option.variable, let text = value(variable), !text.isEmpty,
        !command.decides(option.long, in: scan.occurrences)
      else { return nil }
      return Occurrence(
        option: option.long, given: .text(text), spelling: variable, place: scan.place)
    }
    return added + scan.occurrences
  }
}
