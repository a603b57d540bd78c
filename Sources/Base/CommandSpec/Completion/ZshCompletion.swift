import SafeText

/// Completions for zsh: one function per command around `_arguments`.
struct ZshCompletion {
  let root: CommandDescription

  /// The lists of words with explanations, which get a function each.
  private let explained: [[Choice]]

  init(root: CommandDescription) {
    self.root = root
    explained = root.pages()
      .flatMap { $0.command.options.compactMap(\.hint) + $0.command.arguments.map(\.hint) }
      .map(\.words).filter { $0.contains { !$0.help.isEmpty } }
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  var script: String {
    let name = root.name
    let functions =
      (root.pages().map(function)
      + explained.enumerated().map { wordsFunction($0.offset, $0.element) })
      .joined(separator: "\n")
    return """
      #compdef \(name)

      \(functions)
      # The names in the directory that stands last, after what _arguments puts there for compadd.
      _\(name)_entries() {
        local -a entries
        entries=(${argv[-1]}/*(N:t))
        compadd "${(@)argv[1,-2]}" -a entries
      }

      if [[ ${funcstack[1]} == _\(name) ]]; then
        _\(name) "$@"
      else
        compdef _\(name) \(name)
      fi

      """
  }

  private func function(_ page: CommandPage) -> String {
    let exclusive = page.command.exclusive
    var lines = page.visibleOptions.flatMap { specs($0, exclusive, page) }
    let name = "_" + page.path.joined(separator: "_")
    if page.visibleSubcommands.isEmpty {
      lines += page.command.arguments.map(spec)
      return """
        \(name)() {
          _arguments -s -S \(Self.list(lines))
        }

        """
    }
    lines += ["'1: :->command'", "'*:: :->rest'"]
    let commands = page.visibleSubcommands.map {
      "      " + Self.quote(Self.colons($0.name) + ":" + $0.summary)
    }
    let calls = page.visibleSubcommands.map { "        \($0.name)) \(name)_\($0.name) && ret=0 ;;" }
    return """
      \(name)() {
        local curcontext="$curcontext" context state state_descr line ret=1
        local -a commands
        typeset -A opt_args
        _arguments -s -S -C \(Self.list(lines)) && ret=0
        case $state in
          command)
            commands=(
      \(commands.joined(separator: "\n"))
            )
            _describe -t commands command commands && ret=0
            ;;
          rest)
            curcontext="${curcontext%:*}-$words[1]:"
            case $words[1] in
      \(calls.joined(separator: "\n"))
            esac
            ;;
        esac
        return ret
      }

      """
  }

  private static func list(_ specs: [String]) -> String {
    "\\\n" + specs.map { "    \($0)" }.joined(separator: " \\\n")
  }

  /// One specification per way to write the option, each shutting out the others.
  private func specs(
    _ option: OptionDescription, _ exclusive: [[String]], _ page: CommandPage
  ) -> [String] {
    let repeats = option.isRepeatable || option.form == .count
    let others = exclusive.filter { $0.contains(option.long) }.joined()
      .filter { $0 != option.long }
      .flatMap { other in page.command.options.first { $0.long == other }?.names ?? [] }
    let shutOut = (repeats || option.names.count == 1 ? [] : option.names) + others
    let start =
      (shutOut.isEmpty ? "" : "(\(shutOut.joined(separator: " ")))") + (repeats ? "*" : "")
    return option.names.map { name in
      var spec = start + name
      if option.placeholder != nil { spec += name.hasPrefix("--") ? "=" : "+" }
      spec += "[\(Self.brackets(option.help))]"
      if let placeholder = option.placeholder, let hint = option.hint {
        spec += ":\(Self.colons(placeholder)):\(action(hint))"
      }
      return Self.quote(spec)
    }
  }

  private func spec(_ argument: ArgumentDescription) -> String {
    let start =
      switch argument.presence {
      case .required: ":"
      case .optional: "::"
      case .repeated: "*:"
      }
    return Self.quote("\(start)\(Self.colons(argument.placeholder)):\(action(argument.hint))")
  }

  private func action(_ hint: ValueHint) -> String {
    let words = hint.words.map(\.name).joined(separator: " ")
    switch hint {
    case .text: return " "
    case .file: return "_files"
    case .directory: return "_files -/"
    case .list: return "_values -s , word \(words)"
    case .entries(let directory): return "_\(root.name)_entries \(directory)"
    case .choices, .suggestions:
      if let number = explained.firstIndex(of: hint.words) {
        return "_\(root.name)_words_\(number)"
      }
      return "(\(Self.colons(words)))"
    }
  }

  /// A function that offers words with their explanations; those that end in a colon go on.
  private func wordsFunction(_ number: Int, _ words: [Choice]) -> String {
    func list(_ words: [Choice]) -> String {
      words.map { Self.quote(Self.colons($0.name) + ":" + $0.help) }
        .joined(separator: "\n    ")
    }
    return """
      _\(root.name)_words_\(number)() {
        local -a words open
        words=(
          \(list(words.filter { !$0.name.hasSuffix(":") }))
        )
        open=(
          \(list(words.filter { $0.name.hasSuffix(":") }))
        )
        _describe -t values value words -- open -S ''
      }

      """
  }

  /// A single-quoted word of the script.
  private static func quote(_ text: String) -> String {
    "'" + text.replacing(text: "'", with: #"'\''"#) + "'"
  }

  private static func brackets(_ text: String) -> String {
    text.replacing(text: #"\"#, with: #"\\"#).replacing(text: "[", with: #"\["#)
      .replacing(text: "]", with: #"\]"#)
  }

  private static func colons(_ text: String) -> String {
    text.replacing(text: ":", with: #"\:"#)
  }
}
