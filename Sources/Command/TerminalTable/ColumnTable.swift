/// Rows of columns for people: aligned by what a terminal shows, and no wider than the terminal.
public struct ColumnTable {
  /// What stands in a column, and what of it may be left out on a narrow terminal.
  public struct Column: Sendable {
    /// What stands above it.
    public let title: String
    /// Whether its values stand at the right, as those of numbers do.
    public var isNumber = false
    /// How narrow it may become, its values cut; nil for one that is never cut.
    public var minimum: Int?
    /// Whether it may be left out where cutting does not help; those at the end go first.
    public var isOptional = false

    /// A column.
    ///
    /// - Parameters:
    ///   - minimum: how narrow it may become, in cells of the terminal; nil for one that is never
    ///     cut.
    ///   - isOptional: whether it may be left out where cutting does not help.
    public init(
      title: String, isNumber: Bool = false, minimum: Int? = nil, isOptional: Bool = false
    ) {
      self.title = title
      self.isNumber = isNumber
      self.minimum = minimum
      self.isOptional = isOptional
    }
  }

  private let columns: [Column]
  private let widths: [Int]
  private let shown: [Int]
  private static let gap = 2

  /// A layout for these rows.
  ///
  /// - Parameter width: How wide a line may be; nil where that does not matter, as in a file.
  public init(_ columns: [Column], for rows: [[String]], width: Int?) {
    self.columns = columns
    let natural = columns.indices.map { column in
      ([columns[column].title] + rows.map { $0[column] }).map {
        DisplayText.width(DisplayText.clean($0))
      }.max() ?? 0
    }
    var widths = natural
    var shown = Array(columns.indices)
    guard let width else {
      (self.widths, self.shown) = (widths, shown)
      return
    }
    func excess() -> Int {
      shown.map { widths[$0] }.reduce(0, +) + (shown.count - 1) * ColumnTable.gap - width
    }
    while excess() > 0 {
      let cuttable = shown.filter { index in
        columns[index].minimum.map { $0 < widths[index] } ?? false
      }
      if let widest = cuttable.max(by: { widths[$0] < widths[$1] }) {
        widths[widest] -= 1
      } else if let optional = shown.last(where: { columns[$0].isOptional }) {
        shown.removeAll { $0 == optional }
        // What was cut for it need not be cut.
        widths = natural
      } else {
        break
      }
    }
    (self.widths, self.shown) = (widths, shown)
  }

  /// The line of the titles.
  public var head: String { line(columns.map(\.title)) }

  /// The line of a row, without blanks at its end.
  public func line(_ row: [String]) -> String {
    let cells = shown.map { column in
      let text = DisplayText.truncate(DisplayText.clean(row[column]), to: widths[column])
      let blanks = String(repeating: " ", count: widths[column] - DisplayText.width(text))
      return columns[column].isNumber ? blanks + text : text + blanks
    }
    let line = cells.joined(separator: String(repeating: " ", count: ColumnTable.gap))
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  /// The titles and the rows, as wide as standard output is.
  public static func lines(_ columns: [Column], _ rows: [[String]]) -> [String] {
    let table = ColumnTable(columns, for: rows, width: Terminal.standardOutputWidth)
    return [table.head] + rows.map(table.line)
  }
}
