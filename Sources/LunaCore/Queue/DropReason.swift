/// Why a sighting or an event was lost: the words under which they are counted.
public enum DropReason {
  /// The queue was full, and it was the oldest.
  public static let queueFull = "queueFull"
  /// The disk was full, or the queue could not be written.
  public static let storage = "storage"
  /// Nobody knew where the gateway was.
  public static let noLocation = "noLocation"
  /// The clock showed no time that can be, for longer than sightings can be held.
  public static let clock = "clock"
  /// More trackers around than are kept track of.
  public static let crowd = "crowd"
  /// It could not be sealed.
  public static let sealing = "sealing"

  /// A reason, for a person; one that is not known here as it is.
  public static func sentence(_ reason: String) -> String {
    switch reason {
    case queueFull: "the queue was full"
    case storage: "the queue could not be written"
    case noLocation: "the position was not known"
    case clock: "the clock was not set"
    case crowd: "too many trackers at once"
    case sealing: "it could not be sealed"
    default: reason
    }
  }
}
