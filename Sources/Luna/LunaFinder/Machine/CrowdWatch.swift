import Bluetooth

/// What was told of a flood of new identifiers.
struct CrowdWatch: Sendable {
  /// How long there have to be no more than normal before it is over.
  static let calm: Duration = .seconds(60)

  let since: Timestamp
  /// When there were too many last.
  var last: Duration
  /// When it is told again: soon, since the first number is only the one at which it begins.
  var tellAt: Duration
}
