/// What `?` shows in the live table.
enum HelpPage {
  private static func keys(_ table: TableDescription) -> [(String, String)] {
    let sortable = table.sortable.map { table.columns[$0].title }
    var keys = [
      ("q", "quit"),
      ("Up Down, j k", "choose a row; also PgUp PgDn, Home End, g G"),
      ("Enter", "open or close its details; PgUp PgDn scroll them"),
    ]
    if !sortable.isEmpty {
      let numbers = sortable.count == 1 ? "1" : "1 to \(sortable.count)"
      keys.append(("s S", "sort by the next or the previous column"))
      keys.append((numbers, "sort by " + sortable.joined(separator: ", ")))
    }
    return keys + [
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
    // A position at either end stays free.
    let width = state.size.columns - 2
    func line(_ pair: (String, String)) -> [String] {
      let (name, meaning) = pair
      let head = "  " + name + String(repeating: " ", count: max(1, column - name.count))
      if head.count + meaning.count <= width { return [head + meaning] }
      // The meaning goes on below itself, or stands below the key where there is no room beside it.
      let isNarrow = width < 60
      let start = isNarrow ? 4 : head.count
      let parts = DisplayText.wrap(meaning, width: max(2, width - start)).map {
        String(repeating: " ", count: start) + $0
      }
      if isNarrow { return ["  " + name] + parts }
      return [head + String(parts[0].dropFirst(start))] + Array(parts.dropFirst())
    }
    let table = state.table
    let fields = (table.language?.names).map { names in
      DisplayText.wrap(
        "Fields: " + names.joined(separator: ", "), width: max(2, state.size.columns - 6))
    }
    var lines = ["Keys"]
    for pair in keys(table) { lines += line(pair) }
    lines += ["", "Filters"]
    for pair in filters(table) { lines += line(pair) }
    for part in fields ?? [] { lines.append("  " + part) }
    return lines
  }
}
