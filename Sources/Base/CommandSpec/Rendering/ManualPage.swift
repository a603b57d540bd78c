/// Manual pages in mdoc, section 1.
public enum ManualPage {
  /// The page of one command.
  ///
  /// - Parameters:
  ///   - page: the command in its place.
  ///   - root: the whole tree, for the references to the other pages.
  ///   - date: the date of the page, as in `January 2, 2026`.
  public static func text(
    for page: CommandPage, in root: CommandDescription, date: String
  ) -> String {
    var lines = [
      ".Dd \(date)", ".Dt \(page.manualName.uppercased()) 1", ".Os",
      ".Sh NAME", ".Nm \(page.manualName)",
      macro("Nd", [withoutStop(page.command.summary)]),
      ".Sh SYNOPSIS",
    ]
    for form in Synopsis.forms(of: page) {
      lines.append(macro("Nm", [page.line]))
      lines += form.map(synopsis)
    }
    lines += [".Sh DESCRIPTION", prose(page.command.summary)]
    for paragraph in page.command.discussion { lines += [".Pp", prose(paragraph)] }
    lines += commands(page) + arguments(page.command) + page.visibleGroups.flatMap(group)
    lines += list(
      ".Sh ENVIRONMENT", page.command.variables.map { (macro("Ev", [$0.name]), $0.help) })
    lines += list(
      ".Sh EXIT STATUS", page.command.exitStatuses.map { ("\($0.code)", $0.meaning) })
    lines += list(
      ".Sh EXAMPLES", page.command.examples.map { (macro("Li", [$0.line]), $0.help + ".") },
      kind: "-ohang")
    lines += references(page, root)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func commands(_ page: CommandPage) -> [String] {
    list(".Ss Commands", page.visibleSubcommands.map { (macro("Cm", [$0.name]), $0.summary) })
  }

  private static func arguments(_ command: CommandDescription) -> [String] {
    guard !command.arguments.isEmpty else { return [] }
    var lines = [".Ss Arguments", ".Bl -tag -width Ds"]
    for argument in command.arguments {
      lines += [item(macro("Ar", [argument.placeholder])), prose(argument.help + ".")]
      lines += choices(argument.hint)
    }
    return lines + [".El"]
  }

  private static func group(_ group: OptionGroupDescription) -> [String] {
    var lines = [macro("Ss", [group.title]), ".Bl -tag -width Ds"]
    for option in group.options {
      var label = option.names.map(flag).joined(separator: " , ")
      if let placeholder = option.placeholder { label += " Ar \(argument(placeholder))" }
      lines += [".It \(label)", prose(HelpText.explanation(option) + ".")]
      lines += choices(option.hint)
    }
    return lines + [".El"]
  }

  private static func choices(_ hint: ValueHint?) -> [String] {
    guard let words = hint?.words, !words.isEmpty else { return [] }
    guard words.contains(where: { !$0.help.isEmpty }) else { return [] }
    return [".Bl -tag -width Ds -compact"]
      + words.flatMap {
        [item(macro("Cm", [$0.name])), prose($0.help)]
      }
      + [".El"]
  }

  private static func list(
    _ title: String, _ rows: [(label: String, text: String)], kind: String = "-tag -width Ds"
  ) -> [String] {
    rows.isEmpty
      ? []
      : [title, ".Bl \(kind)"] + rows.flatMap { [item($0.label), prose($0.text)] } + [".El"]
  }

  /// All pages of the program are known; on a page stand its parent, its children and, on the
  /// first, everything.
  private static func references(_ page: CommandPage, _ root: CommandDescription) -> [String] {
    let depth = page.path.count
    let own = root.pages().filter { other in
      let parent = other.path == Array(page.path.dropLast())
      let below = other.path.count > depth && other.path.starts(with: page.path)
      return parent || below || (depth > 1 && other.path.count == 1)
    }
    let all =
      (own.map { ManualReference($0.manualName) } + page.command.seeAlso)
      .sorted { ($0.section, $0.name) < ($1.section, $1.name) }
    guard !all.isEmpty else { return [] }
    return [".Sh SEE ALSO"]
      + all.enumerated().map { index, reference in
        ".Xr \(argument(reference.name)) \(reference.section)"
          + (index + 1 < all.count ? " ," : "")
      }
  }

  private static func synopsis(_ piece: Synopsis.Piece) -> String {
    let ways = piece.ways.map { option, placeholder in
      [option.map(flag), placeholder.map { "Ar " + argument($0) }].compactMap(\.self)
        .joined(separator: " ")
    }
    let text = ways.joined(separator: " | ") + (piece.repeats ? " ..." : "")
    return (piece.isOptional ? ".Op " : ".") + text
  }

  /// An option's name; Fl supplies one hyphen.
  private static func flag(_ name: String) -> String { "Fl " + argument(String(name.dropFirst())) }

  private static func item(_ label: String) -> String {
    ".It " + (label.hasPrefix(".") ? String(label.dropFirst()) : label)
  }

  private static func macro(_ name: String, _ texts: [String]) -> String {
    ".\(name) " + texts.map(argument).joined(separator: " ")
  }

  /// Text on a macro line: no word of it may be taken for a macro or a delimiter.
  private static func argument(_ text: String) -> String {
    text.split(separator: " ").map { word in
      let couldBeMacro = word.count <= 3 && word.first?.isUppercase == true
      let delimiters = ".,:;()[]?!|"
      let isDelimiter = word.allSatisfy { delimiters.contains($0) }
      let endsInOne = !isDelimiter && word.last.map { delimiters.contains($0) } == true
      let escaped = escape(String(word)).split(separator: "\"", omittingEmptySubsequences: false)
        .joined(separator: "\\(dq")
      return (couldBeMacro || isDelimiter ? "\\&" : "") + escaped + (endsInOne ? "\\&" : "")
    }.joined(separator: " ")
  }

  /// Text in lines that end where a sentence ends, as mandoc wants it.
  private static func prose(_ text: String) -> String {
    var sentences: [[String]] = [[]]
    for word in text.split(separator: " ").map(String.init) {
      sentences[sentences.count - 1].append(word)
      let end = word.last { !")\"'".contains($0) }
      if let end, ".!?".contains(end) { sentences.append([]) }
    }
    return sentences.flatMap { TextLayout.wrap(words: $0.map(escape), width: 78) }
      // The first character may not be taken for the start of a request.
      .map { $0.hasPrefix(".") || $0.hasPrefix("\\(aq") ? "\\&" + $0 : $0 }
      .joined(separator: "\n")
  }

  private static func escape(_ text: String) -> String {
    var escaped = ""
    for character in text {
      switch character {
      case "\\": escaped += "\\e"
      case "-": escaped += "\\-"
      case "'": escaped += "\\(aq"
      case "`": escaped += "\\(ga"
      case "~": escaped += "\\(ti"
      case "^": escaped += "\\(ha"
      default: escaped.append(character)
      }
    }
    return escaped
  }

  private static func withoutStop(_ text: String) -> String {
    text.hasSuffix(".") ? String(text.dropLast()) : text
  }
}
