import TerminalTable

/// What things are called and their values beside that, for people. Nothing is cut: on a narrow terminal a value goes
/// on below itself, or stands below its name where it would be torn beside that.
package enum PairLines {
  private static let gap = 2

  /// The lines.
  ///
  /// - Parameters:
  ///   - rows: a name and a value each.
  ///   - width: How wide a line may be; nil where that does not matter, as in a file.
  package static func lines(_ rows: [[String]], width: Int?) -> [String] {
    let table = ColumnTable([.init(title: ""), .init(title: "")], for: rows, width: nil)
    guard let width else { return rows.map(table.line) }
    let names = rows.map { DisplayText.width(DisplayText.clean($0[0])) }
    let start = (names.max() ?? 0) + gap
    return rows.flatMap { row -> [String] in
      let line = table.line(row)
      return DisplayText.width(line) > width ? folded(row, from: start, width: width) : [line]
    }
  }

  private static func folded(_ row: [String], from start: Int, width: Int) -> [String] {
    let (name, value) = (DisplayText.clean(row[0]), DisplayText.clean(row[1]))
    let longest = value.split(separator: " ").map { DisplayText.width(String($0)) }.max() ?? 0
    let isBeside = max(longest, 20) <= width - start
    let margin = isBeside ? start : gap
    let blanks = String(repeating: " ", count: margin)
    let parts = DisplayText.wrap(value, width: max(2, width - margin))
    guard isBeside else {
      return DisplayText.wrap(name, width: max(2, width)) + parts.map { blanks + $0 }
    }
    let head = name + String(repeating: " ", count: start - DisplayText.width(name))
    return [head + parts[0]] + parts.dropFirst().map { blanks + $0 }
  }
}
