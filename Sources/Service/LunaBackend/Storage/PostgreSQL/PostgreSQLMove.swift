import LunaCore

/// What a process knows of moving the events of the version before to the table where they belong.
struct PostgreSQLMove: Sendable {
  /// How far a day has come.
  struct Position: Sendable {
    let day: Day
    let heid: [UInt8]
    let id: [UInt8]
  }

  /// The days that may still be in the old table, or more: others move them as well. Nil before anybody has looked.
  var days: Set<Day>?
  /// From which day on they are moved; what is older is dropped.
  var first: Day?
  /// Whether it is being done, or will be tried again.
  var isRunning = false
  /// Whether this process is the one that moves them. Where a connection was lost, another one may think so as well,
  /// and does some of it again.
  var isHolding = false
  /// Up to where this process has moved the last day that it looked at.
  var position: Position?
}
