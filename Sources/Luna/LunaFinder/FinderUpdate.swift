public import Bluetooth
public import LunaCore
public import LunaProtocol

/// What a finder has to tell.
public enum FinderUpdate: Sendable {
  /// It listens, with this source.
  case listening(SourceDescription, ScanDuty)
  /// How it stands with what it hears has changed.
  case state(FinderState)
  /// Something was done to bring the radio back, or came of it.
  case recovery(RecoveryStep)
  /// The queue has a new file, since the one before was deleted, replaced or damaged. How many of the
  /// events that waited could not be taken along (nil when nobody knows, after a power cut), and where the
  /// file is that was found in its place, or is damaged.
  case queueRenewed(reason: String, lost: Int?, setAside: String?)
  /// A tracker was heard and its report is queued.
  case found(heid: HEID, rssi: Int?, at: Timestamp)
  /// Trackers in iBeacon mode are near.
  case entered(LunaRegion)
  /// They have gone.
  case exited(LunaRegion)
  /// The gateway knows where it is, again or elsewhere than before.
  case located(LocationFix)
  /// The gateway does not know where it is any more.
  case unlocated(String)
  /// A batch is with the backend.
  case uploaded(UploadSummary)
  /// A batch is not, and how long the next attempt waits.
  case uploadFailed(BackendError, retryIn: Duration)
  /// A command is being carried out.
  case commandStarted(requestID: String, heid: HEID)
  /// What came of a command.
  case commandEnded(requestID: String, heid: HEID, CommandOutcome)
  /// The backend knows what came of a command; or why it does not want to.
  case confirmed(requestID: String, refusal: BackendError?)
  /// Sightings were lost, for a reason of ``LunaCore/DropReason``.
  case dropped(reason: String, count: Int)
  /// The run is over, with so many reports heard, of whatever device.
  case ended(heard: Int, after: Duration)
  /// Something does not work.
  case problem(any Error)
}
