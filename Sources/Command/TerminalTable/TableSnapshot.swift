/// Everything that the live table shows at one moment.
public struct TableSnapshot: Sendable, Equatable {
  /// Where the rows come from, such as `hci0, observe`.
  public var source: String
  /// What else must be known now, such as `adapter is being reset`; empty when all is well.
  public var notice: String
  /// All rows in any order.
  public var rows: [TableRow]

  /// What is shown until the next one; `rows` are sorted by the table.
  public init(source: String = "", notice: String = "", rows: [TableRow] = []) {
    self.source = source
    self.notice = notice
    self.rows = rows
  }
}
