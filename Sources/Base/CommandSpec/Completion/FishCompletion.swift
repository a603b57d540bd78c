import SafeText

/// Completions for fish: one `complete` line per option, each under the condition that its
/// command stands on the line.
struct FishCompletion {
  let root: CommandDescription

  var script: String {
    let pages = root.pages()
    let name = root.name
    let lines = pages.flatMap(lines)
    return Self.template
      .replacing(text: "@NAME@", with: name)
      .replacing(text: "@COMMANDS@", with: Self.words(pages.dropFirst().map(\.line)))
      .replacing(text: "@VALUED@", with: Self.words(valued(pages)))
      .replacing(text: "@LINES@", with: lines.joined(separator: "\n"))
  }

  private func valued(_ pages: [CommandPage]) -> [String] {
    pages.flatMap { page in
      page.command.options.filter { $0.placeholder != nil }.flatMap(\.names)
        .map { "\(page.line) \($0)" }
    }
  }

  private func lines(_ page: CommandPage) -> [String] {
    let start = "complete -c \(root.name)"
    var lines = page.visibleSubcommands.map { command in
      "\(start) -n \(Self.quote("__\(root.name)_at '\(page.line)' 0")) -a \(command.name)"
        + " -d \(Self.quote(command.summary))"
    }
    let at = "\(start) -n \(Self.quote("__\(root.name)_at '\(page.line)'"))"
    for option in page.visibleOptions {
      let short = option.short.map { " -s \($0)" } ?? ""
      let value = option.hint.map { " " + Self.value($0, root.name) } ?? ""
      let help = " -d \(Self.quote(option.help))"
      lines.append("\(at)\(short) -l \(option.long)\(value)\(help)")
      if option.form == .negatableFlag { lines.append("\(at) -l no-\(option.long)\(help)") }
    }
    for (index, argument) in page.command.arguments.enumerated() {
      let isRepeated = if case .repeated = argument.presence { true } else { false }
      let condition = "__\(root.name)_at '\(page.line)' \(index)\(isRepeated ? " more" : "")"
      let value =
        switch argument.hint {
        case .text: ""
        case .file: "-F"
        default: Self.value(argument.hint, root.name).replacing(text: "-x ", with: "")
        }
      guard !value.isEmpty else { continue }
      lines.append("\(start) -n \(Self.quote(condition)) \(value)")
    }
    return lines
  }

  private static func value(_ hint: ValueHint, _ name: String) -> String {
    switch hint {
    case .text: return "-x"
    case .file: return "-r -F"
    case .directory: return "-x -a '(__fish_complete_directories (commandline -ct))'"
    case .choices(let words), .suggestions(let words):
      let rows = words.map { $0.help.isEmpty ? $0.name : "\($0.name)\\t\(inner($0.help))" }
      return "-x -a \(quote(rows.joined(separator: " ")))"
    case .list(let words):
      return "-x -a '(__\(name)_list \(words.map(\.name).joined(separator: " ")))'"
    case .entries(let directory):
      return "-x -a '(__\(name)_entries \(directory))'"
    }
  }

  private static func words(_ words: [String]) -> String {
    words.map(quote).joined(separator: " \\\n    ")
  }

  private static func quote(_ text: String) -> String {
    "'" + text.replacing(text: #"\"#, with: #"\\"#).replacing(text: "'", with: #"\'"#) + "'"
  }

  /// A description within the words that -a evaluates.
  private static func inner(_ text: String) -> String {
    var escaped = ""
    for character in text {
      if !character.isLetter && !character.isNumber { escaped.append("\\") }
      escaped.append(character)
    }
    return escaped
  }

  private static let template = #"""
    # fish completion for @NAME@

    set -g __@NAME@_commands @COMMANDS@
    set -g __@NAME@_valued @VALUED@

    # Whether the line stands at command $argv[1], with $argv[2] arguments before the cursor (any
    # number without $argv[2]; that many or more with a third word).
    function __@NAME@_at
        set -l words (commandline -opc)
        set -l path $words[1]
        set -e words[1]
        set path @NAME@
        set -l operands 0
        set -l skip no
        set -l ended no
        for word in $words
            if test $skip = yes
                set skip no
            else if test $ended = yes
                set operands (math $operands + 1)
            else
                switch $word
                    case --
                        set ended yes
                    case '--*=*'
                    case '--*'
                        contains -- "$path $word" $__@NAME@_valued; and set skip yes
                    case '-?*'
                        set -l last -(string sub -s -1 -- $word)
                        contains -- "$path $last" $__@NAME@_valued; and set skip yes
                    case '*'
                        if contains -- "$path $word" $__@NAME@_commands
                            set path "$path $word"
                        else
                            set operands (math $operands + 1)
                        end
                end
            end
        end
        test "$path" = $argv[1]; or return 1
        switch (count $argv)
            case 1
                test $ended = no
            case 2
                test $operands -eq $argv[2]
            case '*'
                test $operands -ge $argv[2]
        end
    end

    # The words that can follow those of the comma list at the cursor.
    function __@NAME@_list
        set -l token (string replace -r -- '^--[^=]*=' '' (commandline -ct))
        set -l head (string replace -r -- '[^,]*$' '' $token)
        set -l taken (string split -- , $head)
        for word in $argv
            contains -- $word $taken; or echo $head$word
        end
    end

    # The names in a directory.
    function __@NAME@_entries
        for entry in $argv[1]/*
            string replace -r -- '.*/' '' $entry
        end
    end

    complete -c @NAME@ -f
    @LINES@

    """#
}
