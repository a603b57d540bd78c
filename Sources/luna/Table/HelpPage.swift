/// What `?` shows in the live table.
enum HelpPage {
  private static let keys = [
    ("q", "quit"),
    ("Up Down, j k", "choose a row; also PgUp PgDn, Home End, g G"),
    ("Enter", "open or close its details"),
    ("s S", "sort by the next or the previous column"),
    ("1 to 7", "sort by WHAT, NAME, ADDRESS, RSSI, PACKETS, PKT/S, SEEN"),
    ("r", "reverse the order"),
    ("t", "trackers only, or everything"),
    ("p, Space", "pause; again to resume"),
    ("/", "filter; Enter keeps the filter, Esc clears it"),
    ("Esc", "close the details, clear the filter, leave the row"),
  ]

  private static let filters = [
    ("airtag kitchen", "rows with all these words in WHAT, NAME or ADDRESS"),
    ("rssi > -60", "a field, == != < <= > >=, and a number or a \"text\""),
    ("name ~ \"(?i)key\"", "a regular expression"),
    ("rssi in {-70..-60}", "a set or a range"),
    ("has(name)", "the field is there"),
    ("a && b, a || b, !a", "or the words and, or, not"),
  ]

  /// The lines, for the width of the terminal.
  static func lines(of state: TableState) -> [String] {
    let column = 20
    func line(_ pair: (String, String)) -> String {
      "  " + pair.0 + String(repeating: " ", count: max(1, column - pair.0.count)) + pair.1
    }
    let fields = DisplayText.wrap(
      "Fields: " + state.fieldNames.joined(separator: ", "), width: max(2, state.size.columns - 6))
    return ["Keys"] + keys.map(line) + ["", "Filters"] + filters.map(line)
      + fields.map { "  " + $0 }
  }
}
