/// Everything that the live table shows at one moment.
struct TableSnapshot: Sendable, Equatable {
  /// Where the advertisements come from, such as `hci0, observe`.
  var source = ""
  /// What else must be known now, such as `adapter is being reset`; empty when all is well.
  var notice = ""
  /// What columns are called that show something else than usual.
  var titles: [TableColumn: String] = [:]
  /// All advertisers in any order.
  var rows: [TableRow] = []
}
