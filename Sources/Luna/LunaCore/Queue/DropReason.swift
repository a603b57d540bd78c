import Bluetooth

/// Why something was lost: the words under which it is counted, the same wherever losses are told.
public enum DropReason {
  // What was lost on the way in: reports.

  /// The kernel dropped it: the reader was too slow.
  public static let kernel = SourceLoss.kernel.rawValue
  /// Too much was heard at once: the program was too slow.
  public static let queue = SourceLoss.queue.rawValue
  /// An advertising event ends before its reports do.
  public static let overrun = SourceLoss.overrun.rawValue
  /// The rest of an extended advertisement never came.
  public static let unfinished = SourceLoss.unfinished.rawValue
  /// A link-layer frame has a wrong checksum.
  public static let checksum = SourceLoss.checksum.rawValue
  /// It could not be read at all.
  public static let damaged = SourceLoss.damaged.rawValue

  // What became of sightings.

  /// A report without a time that can be.
  public static let untimed = "untimed"
  /// The clock showed no time that can be, for longer than sightings can be held.
  public static let clock = "clock"
  /// Nobody knew where the gateway was.
  public static let noLocation = "noLocation"
  /// New identifiers appeared too fast, and it was not heard again, or not often enough.
  public static let crowd = "crowd"
  /// It could not be sealed.
  public static let sealing = "sealing"

  // What became of sealed events.

  /// The queue was full, and it was the oldest.
  public static let queueFull = "queueFull"
  /// The disk was full, or the queue could not be written.
  public static let storage = "storage"

  // What was lost on the way out.

  /// Updates that somebody was too slow to take.
  public static let updates = "updates"
  /// Events that a webhook did not take: it is too slow, or refuses them.
  public static let webhook = "webhook"

  /// What was lost for a reason, as one says of one: a report, a sighting, an event, an update.
  public static func noun(_ reason: String) -> String {
    switch reason {
    case queueFull, storage, webhook: "event"
    case updates: "update"
    default: SourceLoss(rawValue: reason) == nil ? "sighting" : "report"
    }
  }

  /// A reason, for a person; one that is not known here as it is.
  public static func sentence(_ reason: String) -> String {
    switch reason {
    case kernel: "the kernel could not hand it over"
    case queue: "too much was heard at once"
    case overrun: "it was cut short"
    case unfinished: "the rest of it never came"
    case checksum: "its checksum is wrong"
    case damaged: "it could not be read"
    case untimed: "it has no time that can be"
    case clock: "the clock was not set"
    case noLocation: "the position was not known"
    case crowd: "too many new identifiers at once, and not heard again"
    case sealing: "it could not be sealed"
    case queueFull: "the queue was full"
    case storage: "the queue could not be written"
    case updates: "whoever listens is too slow"
    case webhook: "the webhook did not take it"
    default: reason
    }
  }
}
