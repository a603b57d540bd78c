import Bluetooth
import LunaCore
import LunaProtocol

/// A frame and where it was heard, to be sealed.
struct FinderSighting: Hashable, Sendable {
  let heard: HeardFrame
  let location: ReportedLocation
  let record: LocationRecord
  /// Whether its identifier may be made up.
  let isDoubtful: Bool

  var identity: FrameIdentity { FrameIdentity(heard.frame) }
  var collectedAt: Timestamp { Timestamp(unixMilliseconds: record.collectedAt) }
}
