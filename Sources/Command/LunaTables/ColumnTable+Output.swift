package import LunaDocuments
package import TerminalTable

extension ColumnTable {
  /// Appends the titles and the rows, as wide as standard output is.
  package static func append(_ columns: [Column], _ rows: [[String]], to output: OutputBuffer) {
    for line in lines(columns, rows) { output.append(line: line) }
  }
}
