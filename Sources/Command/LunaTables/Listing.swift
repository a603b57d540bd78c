package import LunaDocuments
package import TerminalTable

/// What a command lists, in whichever form: what its rows have, and nothing of how a form is written.
package struct Listing {
  /// The forms of lists.
  package enum Form: String, Sendable {
    case table, jsonl, csv
  }

  private let fields: [String]
  private let columns: [ColumnTable.Column]

  /// - Parameters:
  ///   - fields: those of its JSON lines that are the columns of comma-separated values.
  ///   - columns: what people see.
  package init(fields: [String], columns: [ColumnTable.Column]) {
    self.fields = fields
    self.columns = columns
  }

  /// Appends its rows, which are named by their numbers: generic, this would be in the program once a list.
  ///
  /// - Parameters:
  ///   - line: appends a row as a JSON line.
  ///   - cells: a row as people see it.
  @inline(never)
  package func append(
    _ count: Int, as form: Form, to output: OutputBuffer, line: (Int, OutputBuffer) -> Void,
    cells: (Int) -> [String]
  ) {
    switch form {
    case .jsonl:
      for row in 0..<count { line(row, output) }
    case .csv:
      CSVRows.append(fields, to: output) { lines in
        for row in 0..<count { line(row, lines) }
      }
    case .table: ColumnTable.append(columns, (0..<count).map(cells), to: output)
    }
  }
}
