import Testing

@testable import TerminalTable

@Suite struct ColumnTableTests {
  static let columns: [ColumnTable.Column] = [
    .init(title: "NAME", minimum: 4), .init(title: "N", isNumber: true),
    .init(title: "TYPE", isOptional: true), .init(title: "LAST", minimum: 4),
  ]

  static func lines(_ rows: [[String]], width: Int?) -> [String] {
    let table = ColumnTable(columns, for: rows, width: width)
    return [table.head] + rows.map(table.line)
  }

  @Test func alignsByWhatATerminalShows() {
    let rows = [["鍵🔑", "1", "a", "x"], ["e\u{301}\u{1B}", "100", "", ""]]
    #expect(
      Self.lines(rows, width: nil) == [
        "NAME     N  TYPE  LAST", "鍵🔑     1  a     x", "e\u{301}\\x1b  100",
      ])
  }

  /// No line is wider than the terminal: the widest are cut, then columns are left out.
  @Test func fitsTheTerminal() {
    let rows = [
      [String(repeating: "n", count: 50), "5", "type", String(repeating: "鍵", count: 30)]
    ]
    for width in 13...150 {
      for line in Self.lines(rows, width: width) { #expect(DisplayText.width(line) <= width) }
    }
    #expect(!Self.lines(rows, width: 14)[0].contains("TYPE"))
  }

  /// What was cut in vain is whole again once a column has gone.
  @Test func cutsNothingForAColumnThatIsLeftOut() {
    let columns: [ColumnTable.Column] = [
      .init(title: "TIME"), .init(title: "NOTE", minimum: 4),
      .init(title: "MAP", isOptional: true),
    ]
    let row = ["10:00", "simulated", String(repeating: "m", count: 40)]
    let table = ColumnTable(columns, for: [row], width: 40)
    #expect(table.line(row) == "10:00  simulated")
  }
}
