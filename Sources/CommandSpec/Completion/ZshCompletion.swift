/// Completions for zsh: one function per command around `_arguments`.
struct ZshCompletion {
  let root: CommandDescription

  var script: String {
    let name = root.name
    let functions = root.pages().map(function).joined(separator: "\n")
    return """
      #compdef \(name)

      \(functions)
      if [[ ${funcstack[1]} == _\(name) ]]; then
        _\(name) "$@"
      else
        compdef _\(name) \(name)
      fi

      """
  }

  private func function(_ page: CommandPage) -> String {
    let exclusive = page.command.exclusive
    var specs = page.visibleOptions.flatMap { Self.specs($0, exclusive, page) }
    let name = "_" + page.path.joined(separator: "_")
    if page.visibleSubcommands.isEmpty {
      specs += page.command.arguments.map(Self.spec)
      return """
        \(name)() {
          _arguments -s -S \(Self.list(specs))
        }

        """
    }
    specs += ["'1: :->command'", "'*:: :->rest'"]
    let commands = page.visibleSubcommands.map {
      "      " + Self.quote(Self.colons($0.name) + ":" + $0.summary)
    }
    let calls = page.visibleSubcommands.map { "        \($0.name)) \(name)_\($0.name) && ret=0 ;;" }
    return """
      \(name)() {
        local curcontext="$curcontext" context state state_descr line ret=1
        local -a commands
        typeset -A opt_args
        _arguments -s -S -C \(Self.list(specs)) && ret=0
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
  private static func specs(
    _ option: OptionDescription, _ exclusive: [[String]], _ page: CommandPage
  ) -> [String] {
    let repeats = option.isRepeatable || option.form == .count
    let others = exclusive.filter { $0.contains(option.long) }.joined()
      .filter { $0 != option.long }
      .flatMap { other in page.command.options.first { $0.long == other }?.names ?? [] }
    let shutOut = (repeats ? [] : option.names) + others
    let prefix =
      (repeats ? "*" : "") + (shutOut.isEmpty ? "" : "(\(shutOut.joined(separator: " ")))")
    return option.names.map { name in
      var spec = prefix.hasPrefix("*(") ? String(prefix.dropFirst()) + "*" : prefix
      spec += name
      if option.placeholder != nil { spec += name.hasPrefix("--") ? "=" : "+" }
      spec += "[\(brackets(option.help))]"
      if let placeholder = option.placeholder, let hint = option.hint {
        spec += ":\(colons(placeholder)):\(action(hint))"
      }
      return quote(spec)
    }
  }

  private static func spec(_ argument: ArgumentDescription) -> String {
    let start =
      switch argument.presence {
      case .required: ":"
      case .optional: "::"
      case .repeated: "*:"
      }
    return quote("\(start)\(colons(argument.placeholder)):\(action(argument.hint))")
  }

  private static func action(_ hint: ValueHint) -> String {
    let words = hint.words.map { colons($0.name) }.joined(separator: " ")
    switch hint {
    case .text: return " "
    case .file: return "_files"
    case .directory: return "_files -/"
    case .choices, .suggestions:
      // With -S '' for the words that go on, such as h4:tcp: .
      let described = hint.words.map { "\(colons($0.name))\\:\(inner($0.help))" }
      return hint.words.contains { !$0.help.isEmpty }
        ? "((\(described.joined(separator: " "))))" : "(\(words))"
    case .list:
      let names = hint.words.map(\.name).joined(separator: " ")
      return "_values -s , word \(names)"
    case .entries(let directory):
      return "{local -a entries; entries=(\(directory)/*(N:t)); compadd -a entries}"
    }
  }

  /// A single-quoted word of the script.
  private static func quote(_ text: String) -> String {
    "'" + text.replacing("'", with: #"'\''"#) + "'"
  }

  private static func brackets(_ text: String) -> String {
    text.replacing(#"\"#, with: #"\\"#).replacing("[", with: #"\["#)
      .replacing("]", with: #"\]"#)
  }

  private static func colons(_ text: String) -> String {
    text.replacing(":", with: #"\:"#)
  }

  /// A description inside `((word\:description))`.
  private static func inner(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if " \\'\"():;&|<>$`*?[]{}~#!".contains(character) { escaped.append("\\") }
      if character == ":" { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }
}
