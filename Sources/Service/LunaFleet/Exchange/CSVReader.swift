/// Reads comma-separated values (RFC 4180).
enum CSVReader {
  typealias Row = (line: Int, cells: [String])

  /// The rows that are not empty, with the line in which each begins.
  static func rows(_ text: String) throws(FieldErrors) -> [Row] {
    var (rows, cells, cell): ([Row], [String], [UInt8]) = ([], [], [])
    var (line, start, isQuoted, wasQuoted) = (1, 1, false, false)
    func finishCell() {
      cells.append(plain(String(decoding: cell, as: UTF8.self)))
      cell = []
      wasQuoted = false
    }
    func finishRow() {
      finishCell()
      if cells != [""] { rows.append((start, cells)) }
      cells = []
    }
    let bytes = Array(text.utf8)
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\n") { line += 1 }
      if isQuoted {
        if byte != UInt8(ascii: "\"") {
          cell.append(byte)
        } else if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
          cell.append(byte)
          index += 1
        } else {
          isQuoted = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\"") where cell.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
      case UInt8(ascii: "\""):
        throw FieldErrors([
          FleetError(.importLine, "a quotation mark stands within a cell", position: line)
        ])
      case UInt8(ascii: ","): finishCell()
      case UInt8(ascii: "\r") where index < bytes.count && bytes[index] == UInt8(ascii: "\n"): break
      case UInt8(ascii: "\n"):
        finishRow()
        start = line
      default: cell.append(byte)
      }
    }
    guard !isQuoted else {
      throw FieldErrors([
        FleetError(.importLine, "a quotation mark is not closed", position: start)
      ])
    }
    if !cell.isEmpty || !cells.isEmpty || wasQuoted { finishRow() }
    return rows
  }

  /// A cell without the apostrophe that keeps spreadsheets from taking it for a formula.
  private static func plain(_ cell: String) -> String {
    guard cell.hasPrefix("'"), let first = cell.utf8.first(where: { $0 != UInt8(ascii: "'") }),
      "=+-@\t\r".utf8.contains(first)
    else { return cell }
    return String(cell.dropFirst())
  }
}
