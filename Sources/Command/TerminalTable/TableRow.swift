/// A row of the live table.
public struct TableRow: Sendable, Equatable, Identifiable {
  /// One line of the details.
  public struct Detail: Sendable, Equatable {
    /// What the value is.
    public var label: String
    /// The value, as it is to be shown.
    public var value: String

    /// A line: a label, and a value beside it.
    public init(label: String, value: String) {
      self.label = label
      self.value = value
    }
  }

  /// A number that stays with what the row is about; the earlier it appeared the lower, which decides
  /// between rows that are otherwise equal.
  public var id: UInt64
  /// Whether it belongs to those that come first, and that one key shows alone.
  public var isMarked: Bool
  /// A value for each column; what is missing at the end is empty.
  public var values: [TableValue]
  /// Whether it passes the expression that was asked for.
  public var passes: Bool
  /// What the details pane shows; needed for the selected row only.
  public var details: [Detail]
  /// What stands in the first column where there is no room for another one that names the row; nil
  /// for what stands there anyway.
  package var label: String?

  /// A row.
  public init(
    id: UInt64, isMarked: Bool = false, values: [TableValue], passes: Bool = true,
    details: [Detail] = []
  ) {
    self.id = id
    self.isMarked = isMarked
    self.values = values
    self.passes = passes
    self.details = details
  }

  /// The value in a column; no text where there is none.
  func value(_ column: Int) -> TableValue {
    values.indices.contains(column) ? values[column] : .text("")
  }

  /// The text in a column; empty where there is none.
  func text(_ column: Int) -> String {
    if case .text(let text) = value(column) { text } else { "" }
  }
}
