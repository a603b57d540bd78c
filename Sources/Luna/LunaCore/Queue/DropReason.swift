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
  /// New identifiers appeared too fast, and it was not heard again, or not often enough.
  public static let crowd = "crowd"
  /// The kernel dropped it: the reader was too slow.
  public static let kernel = "kernel"
  /// Too much was heard at once.
  public static let reports = "reports"
  /// Updates of a finder that somebody was too slow to take.
  public static let updates = "updates"
  /// It could not be sealed.
  public static let sealing = "sealing"

  /// Whether sightings were lost for a reason, or events that had been sealed already.
  public static func noun(_ reason: String) -> String {
    [queueFull, storage].contains(reason) ? "event" : "sighting"
  }

  /// A reason, for a person; one that is not known here as it is.
  public static func sentence(_ reason: String) -> String {
    switch reason {
    case queueFull: "the queue was full"
    case storage: "the queue could not be written"
    case noLocation: "the position was not known"
    case clock: "the clock was not set"
    case crowd: "too many new identifiers at once, and not heard again"
    case kernel: "the kernel could not hand it over"
    case reports: "too much was heard at once"
    case updates: "whoever listens is too slow"
    case sealing: "it could not be sealed"
    default: reason
    }
  }
}
