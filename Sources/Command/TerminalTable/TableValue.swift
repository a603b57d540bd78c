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
  /// A level with the last ones, the newest at the end. The mean of the last few is shown, and is
  /// what rows are sorted by, the highest first; nothing is without the level.
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
    case .level(let last, let history):
      TableValue.shownLevel(last, history).map { .number(-Double($0)) }
    case .bars(let history):
      TableValue.shownLevel(history.last.map { Int($0) }, history).map { .number(-Double($0)) }
    }
  }

  /// The mean of the last four levels, rounded: with each packet for itself, rows would change places
  /// all the time, and more than four would tell late that somebody comes nearer.
  static func shownLevel(_ last: Int?, _ history: [Int8]) -> Int? {
    let recent = history.suffix(4)
    guard last != nil, !recent.isEmpty else { return last }
    let sum = recent.reduce(0) { $0 + Int($1) }
    return Int((Double(sum) / Double(recent.count)).rounded())
  }
}
