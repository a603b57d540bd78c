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
  /// Send the events whose turn it is.
  case upload(limit: Int)
  /// Tell the oldest confirmation.
  case confirm
  /// Set the first of a batch of one aside: the backend finds it too large.
  case setAsideFirst(code: String)
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
