/// What was listened to, without which "nothing found" says nothing.
public struct WatchSummary: Sendable {
  /// What listening cannot find: stands beside every "nothing found".
  package static let cannotFind = ["silent", "satellite and mobile network", "excluded"]

  /// How long was listened.
  public let hours: Double
  /// How many trips the box made while it listened.
  public let trips: Int
  /// The times of two minutes or more in which nothing at all was heard.
  public let gaps: Int
  /// How long they were together.
  public let gapMinutes: Int
  /// Identifiers that are kept, and those that made room.
  public let identifiers: Int
  /// Identifiers that made room for others.
  public let dropped: Int
  /// What was told, by its grade.
  public let notices: Int
  /// Suspects.
  public let suspects: Int
  /// Alarms.
  public let alarms: Int
  /// What is possible.
  public let possible: Int
  /// What is not judged, with its trips.
  public let excluded: [WatchFinding]
}
