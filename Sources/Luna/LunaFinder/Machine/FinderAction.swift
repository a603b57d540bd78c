import LunaCore
import LunaProtocol

/// What a finder is to do.
enum FinderAction: Hashable, Sendable {
  /// Listen like that.
  case listen(ScanDuty)
  /// Seal this and queue it.
  case seal(FinderSighting)
  /// Count lost sightings.
  case drop(String, Int)
  /// Send the events whose turn it is, some left out; or one by itself.
  case upload(limit: Int, without: Set<Int64>, alone: Int64?)
  /// Tell the oldest confirmation.
  case confirm
  /// Set an event aside that the backend does not take all by itself.
  case setAside(Int64, code: String)
  /// Identifiers appear too fast, so many within the last minute; nil: not any more.
  case crowd(CrowdStatus?)
  /// Deliver a package to the tracker.
  case run(requestID: String, ControlPackage, HeardFrame)
  /// The tracker for which a package is being delivered was heard again.
  case heard(HeardFrame)
  /// Queue this.
  case keep(CommandConfirmation)
  case entered(LunaRegion)
  case exited(LunaRegion)
  case located(LocationFix)
  case unlocated(String)
  /// Tell that a transfer has failed and is tried again.
  case retry(BackendError, Duration)
  /// Tell that something does not work.
  case problem(FinderError)
  /// The end, after ``FinderEvent/stop``.
  case finished
}
