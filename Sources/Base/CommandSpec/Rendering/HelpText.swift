/// The text of `--help`, at most 80 columns wide.
public enum HelpText {
  private static let width = 80
  private static let column = 27

  /// Everything about a command: how to call it, what it does, its options by group, examples,
  /// exit codes, environment.
  public static func text(for page: CommandPage) -> String {
    let command = page.command
    var sections = [usage(page), TextLayout.wrap(command.summary, width: width)]
    sections += command.discussion.map { TextLayout.wrap($0, width: width) }
    sections.append(commands(page))
    sections.append(arguments(command))
    sections += page.visibleGroups.map(group)
    sections.append(examples(command))
    sections.append(
      table("Exit codes:", command.exitStatuses.map { (String($0.code), $0.meaning) }, column: 7))
    sections.append(table("Environment:", command.variables.map { ($0.name, $0.help) }))
    if !page.visibleSubcommands.isEmpty {
      sections.append(
        TextLayout.wrap("'\(page.line) COMMAND --help' says more about a command.", width: width))
    }
    return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
  }

  private static func usage(_ page: CommandPage) -> [String] {
    var lines: [String] = []
    for form in Synopsis.forms(of: page) {
      let start = (lines.isEmpty ? "Usage: " : "       ") + page.line + " "
      let room = width - start.count
      let rows = TextLayout.wrap(words: form.flatMap { $0.texts(within: room) }, width: room)
      let margin = String(repeating: " ", count: start.count)
      lines += rows.enumerated().map { ($0.offset == 0 ? start : margin) + $0.element }
    }
    return lines
  }

  private static func commands(_ page: CommandPage) -> [String] {
    table("Commands:", page.visibleSubcommands.map { ($0.name, $0.summary) }, column: 15)
  }

  private static func arguments(_ command: CommandDescription) -> [String] {
    command.arguments.isEmpty
      ? []
      : ["Arguments:"]
        + command.arguments.flatMap { argument in
          row(argument.placeholder, argument.help) + choices(argument.hint)
        }
  }

  private static func group(_ group: OptionGroupDescription) -> [String] {
    let withShorts = group.options.contains { $0.short != nil }
    return ["\(group.title):"]
      + group.options.flatMap { option in
        row(label(option, withShorts), explanation(option)) + choices(option.hint)
      }
  }

  private static func label(_ option: OptionDescription, _ withShorts: Bool) -> String {
    let long = option.form == .negatableFlag ? "--[no-]\(option.long)" : "--\(option.long)"
    let short = option.short.map { "-\($0), " } ?? (withShorts ? "    " : "")
    return short + long + (option.placeholder.map { " \($0)" } ?? "")
  }

  /// The help of an option with what its form adds to it.
  static func explanation(_ option: OptionDescription) -> String {
    var notes: [String] = []
    if option.isRequired { notes.append("required") }
    if option.isRepeatable { notes.append("repeatable") }
    if let text = option.defaultText { notes.append("default: \(text)") }
    return option.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }

  /// The words of which one can choose, where they need an explanation.
  private static func choices(_ hint: ValueHint?) -> [String] {
    guard let words = hint?.words, words.contains(where: { !$0.help.isEmpty }) else { return [] }
    return words.flatMap {
      TextLayout.columns($0.name, $0.help, indent: column + 2, column: column + 14, width: width)
    }
  }

  private static func examples(_ command: CommandDescription) -> [String] {
    command.examples.isEmpty
      ? []
      : ["Examples:"]
        + command.examples.flatMap { example in
          ["  \(example.line)"]
            + TextLayout.wrap(example.help, width: width - 6).map { "      \($0)" }
        }
  }

  private static func row(_ label: String, _ text: String) -> [String] {
    TextLayout.columns(label, text, indent: 2, column: column, width: width)
  }

  private static func table(
    _ title: String, _ rows: [(String, String)], column: Int = column
  ) -> [String] {
    rows.isEmpty
      ? []
      : [title]
        + rows.flatMap {
          TextLayout.columns($0.0, $0.1, indent: 2, column: column, width: width)
        }
  }
}
