/// The short form of everything that one can write after a command.
enum Synopsis {
  /// One list of unbreakable pieces per way to call the command, without its path.
  ///
  /// The first group of options is spelt out with the required ones of the others; for the rest
  /// stands `[OPTION ...]`.
  static func forms(of page: CommandPage) -> [[String]] {
    var forms: [[String]] = []
    if page.command.isRunnable {
      forms.append(options(of: page) + page.command.arguments.map(\.synopsis))
    }
    if !page.visibleSubcommands.isEmpty {
      forms.append(["[OPTION ...]", "COMMAND", "..."])
    }
    return forms
  }

  /// How an option is written with its value: `--count N`, in its short form where it has one.
  static func spelling(_ option: OptionDescription) -> String {
    var text = option.short.map { "-\($0)" } ?? "--\(option.long)"
    if let placeholder = option.placeholder { text += " \(placeholder)" }
    return text
  }

  private static func options(of page: CommandPage) -> [String] {
    let declared = page.command.groups.map { $0.options.filter { !$0.isHidden } }
    let shown = (declared.first ?? []) + declared.dropFirst().joined().filter(\.isRequired)
    var pieces: [String] = []
    var done: Set<String> = []
    for option in shown where done.insert(option.long).inserted {
      let set = page.command.exclusive.first { $0.contains(option.long) } ?? []
      let others = shown.filter { set.contains($0.long) && done.insert($0.long).inserted }
      let text = ([option] + others).map(spelling).joined(separator: " | ")
      let repeats = option.isRepeatable ? " ..." : ""
      pieces.append(option.isRequired ? text + repeats : "[\(text)\(repeats)]")
    }
    return pieces + ["[OPTION ...]"]
  }
}
