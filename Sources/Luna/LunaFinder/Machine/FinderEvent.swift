import LunaCore
import LunaProtocol

/// What happens to a finder.
enum FinderEvent: Sendable {
  /// A Luna frame was heard.
  case frame(HeardFrame)
  /// An iBeacon frame of a region was heard.
  case region(Int)
  /// The location source has something to say.
  case location(LocationUpdate)
  /// Time has passed.
  case timePassed
  /// How many events wait, and whether confirmations do: at the start.
  case restored(waiting: Int, hasConfirmations: Bool)
  /// Sightings were sealed and queued; so many events wait now.
  case queued([FrameIdentity: HEID], waiting: Int)
  /// A confirmation was queued, or could not be.
  case confirmationQueued
  /// The upload has ended: what the backend said, how many events have left the queue and which, and how
  /// many wait now.
  case uploaded(requests: [CommandRequest], progress: Int, gone: Set<Int64> = [], waiting: Int)
  /// The upload of events has failed.
  case uploadFailed(BackendError, of: [Int64])
  /// Telling a confirmation has failed.
  case confirmationFailed(BackendError)
  /// There is another credential than the one that was refused.
  case credentialChanged
  /// Nothing is there to be sent but what was refused before; whether the event that was wanted by
  /// itself has left the queue.
  case nothingElseWaits(gone: Int64?)
  /// The queue could not be read or written.
  case queueFailed
  /// A confirmation is settled; whether there are more.
  case confirmed(hasMore: Bool)
  /// What came of the command that was being carried out.
  case commandEnded(CommandOutcome)
  /// Bring away what waits, and end.
  case stop
}
