/// What was listened to, without which "nothing found" says nothing.
public struct WatchSummary: Sendable {
  /// What listening cannot find: stands beside every "nothing found".
  package static let cannotFind = ["silent", "satellite and mobile network", "excluded"]

  /// How long was listened, h.
  public let hours: Double
  /// How many trips the box made while it listened.
  public let trips: Int
  /// The times of two minutes or more in which nothing at all was heard.
  public let gaps: Int
  /// How long these were together, min.
  public let gapMinutes: Int
  /// How many identifiers are kept.
  public let identifiers: Int
  /// How many made room for others.
  public let dropped: Int
  /// How many notices were told.
  public let notices: Int
  /// How many suspects were told.
  public let suspects: Int
  /// How many alarms were told.
  public let alarms: Int
  /// What is possible.
  public let possible: Int
  /// What is not judged, with its trips.
  public let excluded: [WatchFinding]
}
