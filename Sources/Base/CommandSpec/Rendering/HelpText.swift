/// The text of `--help`, at most 80 columns wide.
public struct HelpText {
  /// Wider lines are hard to read.
  public static let widest = 80
  private static let narrowest = 20

  private let width: Int

  /// Where explanations begin: beside what they explain, or below it where there is no room for that.
  private var column: Int { width < 60 ? 6 : 27 }

  /// Everything about a command: how to call it, what it does, its options by group, examples,
  /// exit codes, environment.
  ///
  /// - Parameter width: how wide lines may be, as far as they can be broken: examples are whole.
  public static func text(for page: CommandPage, width: Int = widest) -> String {
    HelpText(width: min(max(width, narrowest), widest)).text(page)
  }

  private func text(_ page: CommandPage) -> String {
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

  private func usage(_ page: CommandPage) -> [String] {
    var lines: [String] = []
    for form in Synopsis.forms(of: page) {
      let start = (lines.isEmpty ? "Usage: " : "       ") + page.line + " "
      // Behind a long name there would be no room.
      let isBelow = width < start.count + 24
      let margin = String(repeating: " ", count: isBelow ? column : start.count)
      let room = width - margin.count
      let rows = TextLayout.wrap(words: form.flatMap { $0.texts(within: room) }, width: room)
      if isBelow { lines.append(String(start.dropLast())) }
      lines += rows.enumerated().map { ($0.offset == 0 && !isBelow ? start : margin) + $0.element }
    }
    return lines
  }

  private func commands(_ page: CommandPage) -> [String] {
    table("Commands:", page.visibleSubcommands.map { ($0.name, $0.summary) }, column: 15)
  }

  private func arguments(_ command: CommandDescription) -> [String] {
    command.arguments.isEmpty
      ? []
      : ["Arguments:"]
        + command.arguments.flatMap { argument in
          row(argument.placeholder, argument.help) + choices(argument.hint)
        }
  }

  private func group(_ group: OptionGroupDescription) -> [String] {
    let withShorts = group.options.contains { $0.short != nil }
    return ["\(group.title):"]
      + group.options.flatMap { option in
        row(Self.label(option, withShorts), Self.explanation(option)) + choices(option.hint)
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
  private func choices(_ hint: ValueHint?) -> [String] {
    guard let words = hint?.words, words.contains(where: { !$0.help.isEmpty }) else { return [] }
    return words.flatMap {
      TextLayout.columns($0.name, $0.help, indent: column + 2, column: column + 14, width: width)
    }
  }

  private func examples(_ command: CommandDescription) -> [String] {
    command.examples.isEmpty
      ? []
      : ["Examples:"]
        + command.examples.flatMap { example in
          ["  \(example.line)"]
            + TextLayout.wrap(example.help, width: width - 6).map { "      \($0)" }
        }
  }

  private func row(_ label: String, _ text: String) -> [String] {
    TextLayout.columns(label, text, indent: 2, column: column, width: width)
  }

  private func table(
    _ title: String, _ rows: [(String, String)], column: Int? = nil
  ) -> [String] {
    rows.isEmpty
      ? []
      : [title]
        + rows.flatMap {
          TextLayout.columns($0.0, $0.1, indent: 2, column: column ?? self.column, width: width)
        }
  }
}
