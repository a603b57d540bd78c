/// The short form of everything that one can write after a command.
enum Synopsis {
  /// A part that is broken only where it must be, such as `[--at TIME | --counter N]`.
  struct Piece {
    /// The ways to write it: the option's name or nil, and the placeholder or nil.
    var ways: [(option: String?, placeholder: String?)]
    var isOptional = true
    var repeats = false

    var text: String {
      let text =
        ways.map { [$0.option, $0.placeholder].compactMap(\.self).joined(separator: " ") }
        .joined(separator: " | ") + (repeats ? " ..." : "")
      return isOptional ? "[\(text)]" : text
    }

    /// The text; in a piece for each way where it is longer than `width`.
    func texts(within width: Int) -> [String] {
      guard text.count > width, ways.count > 1 else { return [text] }
      let parts = ways.map {
        [$0.option, $0.placeholder].compactMap(\.self).joined(separator: " ")
      }
      let end = (repeats ? " ..." : "") + (isOptional ? "]" : "")
      return parts.enumerated().map { number, part in
        (isOptional && number == 0 ? "[" : "") + part + (number == parts.count - 1 ? end : " |")
      }
    }
  }

  /// The pieces for every way to call the command, without its path.
  ///
  /// The first of several groups of options is spelt out with the required ones of the others; for
  /// the rest stands `[OPTION ...]`.
  static func forms(of page: CommandPage) -> [[Piece]] {
    var forms: [[Piece]] = []
    let others = Piece(ways: [(nil, "OPTION")], repeats: true)
    if page.command.isRunnable {
      forms.append(options(of: page) + [others] + page.command.arguments.flatMap(pieces))
    }
    if !page.visibleSubcommands.isEmpty {
      forms.append([others, Piece(ways: [(nil, "COMMAND")], isOptional: false, repeats: true)])
    }
    return forms
  }

  private static func options(of page: CommandPage) -> [Piece] {
    let declared = page.command.groups.map { $0.options.filter { !$0.isHidden } }
    let own = declared.count > 1 ? declared[0] : []
    let shown = own + declared.dropFirst(own.isEmpty ? 0 : 1).joined().filter(\.isRequired)
    var pieces: [Piece] = []
    var done: Set<String> = []
    for option in shown where done.insert(option.long).inserted {
      let set = page.command.exclusive.first { $0.contains(option.long) } ?? []
      let rivals = shown.filter { set.contains($0.long) && done.insert($0.long).inserted }
      pieces.append(
        Piece(
          ways: ([option] + rivals).map { (name($0), $0.placeholder) },
          isOptional: !option.isRequired, repeats: option.isRepeatable))
    }
    return pieces
  }

  private static func name(_ option: OptionDescription) -> String {
    if option.form == .negatableFlag { return "--[no-]\(option.long)" }
    return option.names[0]
  }

  private static func pieces(_ argument: ArgumentDescription) -> [Piece] {
    var piece = Piece(ways: [(nil, argument.placeholder)])
    if let leading = argument.leading {
      piece.isOptional = false
      return [Piece(ways: [(nil, leading)], repeats: true), piece]
    }
    switch argument.presence {
    case .required: piece.isOptional = false
    case .optional: break
    case .repeated(let atLeast): (piece.isOptional, piece.repeats) = (atLeast == 0, true)
    }
    return [piece]
  }
}
