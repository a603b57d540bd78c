import SafeText

/// Completions for Bash: one function that walks the words before the cursor, and a table.
struct BashCompletion {
  let root: CommandDescription

  /// The table's function is keyed by command line and option, or `@` and the argument's number.
  var script: String {
    let name = root.name
    let pages = root.pages()
    let commands = pages.dropFirst().map { "\"\($0.line)\"" }.joined(separator: "|")
    let options = pages.map { page in
      "    \"\(page.line)\") words=\"\(page.visibleOptions.flatMap(\.names).joined(separator: " "))\" ;;"
    }
    let subcommands = pages.filter { !$0.visibleSubcommands.isEmpty }.map { page in
      "    \"\(page.line)\") words=\"\(page.visibleSubcommands.map(\.name).joined(separator: " "))\" ;;"
    }
    return Self.template
      .replacing(text: "@NAME@", with: name)
      .replacing(text: "@COMMANDS@", with: commands.isEmpty ? "\"\"" : commands)
      .replacing(text: "@OPTIONS@", with: options.joined(separator: "\n"))
      .replacing(text: "@SUBCOMMANDS@", with: subcommands.joined(separator: "\n"))
      .replacing(text: "@VALUES@", with: values(pages).joined(separator: "\n"))
  }

  /// What follows each option and stands for each argument; equal answers share a row.
  private func values(_ pages: [CommandPage]) -> [String] {
    var rows: [(answer: String, keys: [String])] = []
    func add(_ key: String, _ hint: ValueHint) {
      let answer = Self.answer(hint)
      if let row = rows.firstIndex(where: { $0.answer == answer }) {
        rows[row].keys.append(key)
      } else {
        rows.append((answer, [key]))
      }
    }
    for page in pages {
      for option in page.command.options {
        guard let hint = option.hint else { continue }
        for name in option.names { add("\"\(page.line) \(name)\"", hint) }
      }
      for (index, argument) in page.command.arguments.enumerated() {
        if case .repeated = argument.presence {
          add("\"\(page.line) @\"*", argument.hint)
        } else {
          add("\"\(page.line) @\(index)\"", argument.hint)
        }
      }
    }
    return rows.map { row in
      "    \(row.keys.joined(separator: "|\\\n    "))) \(row.answer) ;;"
    }
  }

  private static func answer(_ hint: ValueHint) -> String {
    let words = hint.words.map(\.name).joined(separator: " ")
    return switch hint {
    case .text: "kind=text"
    case .file: "kind=file"
    case .directory: "kind=directory"
    case .choices, .suggestions: "kind=words words=\"\(words)\""
    case .list: "kind=list words=\"\(words)\""
    case .entries(let directory): "kind=entries words=\(directory)"
    }
  }

  private static let template = #"""
    # bash completion for @NAME@

    # Sets kind and words for the value of option (or argument) $2 of command $1; kind stays empty
    # where there is no value.
    _@NAME@_value() {
      kind="" words=""
      case "$1 $2" in
    @VALUES@
      esac
    }

    # Sets words to the options of command $1.
    _@NAME@_options() {
      words=""
      case "$1" in
    @OPTIONS@
      esac
    }

    # Sets words to the commands below command $1.
    _@NAME@_subcommands() {
      words=""
      case "$1" in
    @SUBCOMMANDS@
      esac
    }

    # Puts what can follow $1 as a value of the given kind and words into COMPREPLY.
    _@NAME@_reply() {
      local entry head=""
      case $kind in
        words) COMPREPLY=($(compgen -W "$words" -- "$1")) ;;
        list)
          [[ $1 == *,* ]] && head=${1%,*},
          for entry in $words; do
            [[ ,$head == *,"$entry",* || $head$entry != "$1"* ]] || COMPREPLY+=("$head$entry")
          done
          compopt -o nospace 2>/dev/null
          ;;
        entries)
          for entry in "$words"/*; do
            [[ -e $entry ]] || continue
            entry=${entry##*/}
            [[ $entry == "$1"* ]] && COMPREPLY+=("$entry")
          done
          ;;
        file)
          compopt -o filenames 2>/dev/null
          mapfile -t COMPREPLY < <(compgen -f -- "$1")
          ;;
        directory)
          compopt -o filenames 2>/dev/null
          mapfile -t COMPREPLY < <(compgen -d -- "$1")
          ;;
      esac
      # h4:tcp: and the like go on.
      if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]]; then
        compopt -o nospace 2>/dev/null
      fi
    }

    _@NAME@() {
      local command="@NAME@" option="" ended="" operands=0 current="" word glue="" i j kind words
      local -a line=()
      COMPREPLY=()
      # Bash splits words at = and :; here they are put together again.
      for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        if ((${#line[@]} > 1)) && [[ $word =~ ^[=:]+$ && $COMP_WORDBREAKS == *"${word:0:1}"* ]]; then
          line[${#line[@]}-1]+=$word
          glue=1
        elif [[ -n $glue ]]; then
          line[${#line[@]}-1]+=$word
          glue=""
        else
          line+=("$word")
        fi
      done

      for ((i = 1; i < ${#line[@]} - 1; i++)); do
        word=${line[i]}
        if [[ -n $option ]]; then
          option=""
        elif [[ -n $ended ]]; then
          operands=$((operands + 1))
        else
          case $word in
            --) ended=1 ;;
            --*=*) ;;
            --*)
              _@NAME@_value "$command" "$word"
              [[ -n $kind ]] && option=$word
              ;;
            -?*)
              for ((j = 1; j < ${#word}; j++)); do
                _@NAME@_value "$command" "-${word:j:1}"
                [[ -n $kind ]] || continue
                ((j == ${#word} - 1)) && option=-${word:j:1}
                break
              done
              ;;
            *)
              case "$command $word" in
                @COMMANDS@) command+=" $word" ;;
                *) operands=$((operands + 1)) ;;
              esac
              ;;
          esac
        fi
      done

      current=${line[${#line[@]}-1]}
      if [[ -n $option ]]; then
        _@NAME@_value "$command" "$option"
        _@NAME@_reply "$current"
      elif [[ -z $ended && $current == --*=* ]]; then
        option=${current%%=*}
        _@NAME@_value "$command" "$option"
        _@NAME@_reply "${current#*=}"
        if [[ $COMP_WORDBREAKS != *=* ]]; then
          COMPREPLY=("${COMPREPLY[@]/#/$option=}")
        fi
        current=${current#*=}
      elif [[ -z $ended && $current == -* ]]; then
        _@NAME@_options "$command"
        COMPREPLY=($(compgen -W "$words" -- "$current"))
      else
        _@NAME@_value "$command" "@$operands"
        _@NAME@_reply "$current"
        if [[ -z $kind && -z $ended ]]; then
          words=""
          ((operands == 0)) && _@NAME@_subcommands "$command"
          [[ -z $words && -z $current ]] && _@NAME@_options "$command"
          COMPREPLY=($(compgen -W "$words" -- "$current"))
        fi
      fi

      # What stands before the last : is not part of the word that Bash replaces.
      if [[ $COMP_WORDBREAKS == *:* && $current == *:* && $kind != file ]]; then
        word=${current%"${current##*:}"}
        COMPREPLY=("${COMPREPLY[@]#"$word"}")
      fi
    }

    complete -F _@NAME@ @NAME@

    """#
}
