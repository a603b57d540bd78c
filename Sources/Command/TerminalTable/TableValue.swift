/// What stands in a column of a row; made text only when it is drawn.
public enum TableValue: Sendable, Equatable {
  /// Text from anywhere: the table cleans what it draws.
  case text(String)
  /// A number of things; more come first.
  case count(Int)
  /// Something per second, higher ones first; nil is not shown, and counts as none.
  case rate(Double?)
  /// Seconds since something; what was last comes first. Infinite for never.
  case age(Double)
  /// A level with the last ones, the newest at the end; the highest come first.
  case level(Int?, history: [Int8])
  /// The last levels, as bars.
  case bars([Int8])

  /// What rows are sorted by, the lowest first; nil where there is nothing.
  var key: TableKey? {
    switch self {
    case .text(let text): text.isEmpty ? nil : .text(text.lowercased())
    case .count(let count): .number(-Double(count))
    case .rate(let rate): .number(-(rate ?? 0))
    case .age(let age): .number(age)
    case .level(let level, let history): TableValue.strength(level, history).map { .number(-$0) }
    case .bars(let history): TableValue.strength(nil, history).map { .number(-$0) }
    }
  }

  /// The mean of the last eight values in steps of 3: rows that are about equally strong should not
  /// change places all the time.
  private static func strength(_ level: Int?, _ history: [Int8]) -> Double? {
    let last = history.suffix(8)
    guard !last.isEmpty else { return level.map { Double($0 / 3) } }
    return Double(last.reduce(0) { $0 + Int($1) } / (last.count * 3))
  }
}
