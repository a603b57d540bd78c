/// What `?` shows in the live table.
enum HelpPage {
  private static func keys(_ table: TableDescription) -> [(String, String)] {
    let sortable = table.sortable.map { table.columns[$0].title }
    return [
      ("q", "quit"),
      ("Up Down, j k", "choose a row; also PgUp PgDn, Home End, g G"),
      ("Enter", "open or close its details"),
      ("s S", "sort by the next or the previous column"),
      ("1 to \(sortable.count)", "sort by " + sortable.joined(separator: ", ")),
      ("r", "reverse the order"),
      ("t", "\(table.words.marked.many) only, or everything"),
      ("p, Space", "pause; again to resume"),
      ("/", "filter; Enter keeps the filter, Esc clears it"),
      ("Esc", "close the details, clear the filter, leave the row"),
    ]
  }

  private static func filters(_ table: TableDescription) -> [(String, String)] {
    [(table.words.example, "rows with all these words in \(table.searched)")]
      + (table.language?.examples ?? []).map { ($0.text, $0.meaning) }
  }

  /// The lines, for the width of the terminal.
  static func lines(of state: TableState) -> [String] {
    let column = 20
    func line(_ pair: (String, String)) -> String {
      "  " + pair.0 + String(repeating: " ", count: max(1, column - pair.0.count)) + pair.1
    }
    let table = state.table
    let fields = (table.language?.names).map { names in
      DisplayText.wrap(
        "Fields: " + names.joined(separator: ", "), width: max(2, state.size.columns - 6))
    }
    return ["Keys"] + keys(table).map(line) + ["", "Filters"] + filters(table).map(line)
      + (fields ?? []).map { "  " + $0 }
  }
}
