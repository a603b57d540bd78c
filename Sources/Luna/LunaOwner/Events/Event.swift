public import Bluetooth
public import LunaProtocol

/// The short name of ``LunaOwner/Event``, for programs that have no other `Event`.
public typealias Event = LunaOwner.Event

extension LunaOwner {
  /// Where a tracker was heard, as a finder reported it to its owner.
  public struct Event: Hashable, Sendable {
    /// When the finder heard it, by the finder's clock.
    public let collectedAt: Timestamp
    /// What the tracker was called in the air then, hexadecimal digits.
    public let eid: String
    /// Degrees north, -90 to 90: where the finder was.
    public let latitude: Double
    /// Degrees east, -180 to 180: where the finder was.
    public let longitude: Double
    /// Whether its battery was low.
    public let batteryStatus: Bool

    /// All that the report says.
    public let location: ReportedLocation
    /// The same in the units of the report.
    public let record: LocationRecord
    /// Under which it was filed.
    public let heid: HEID
    /// The period of the tracker.
    public let period: UInt32
    /// What the tracker told of itself; or why that cannot be read.
    public let status: Result<TrackerStatus, ESFRejection>
    /// When the backend got it.
    public let receivedAt: Timestamp
    /// Whether the tracker can have been heard like that at that time (PROTOCOL.md, 9.2), and the
    /// report was filed under its day. Others may be recordings that somebody played, or made up.
    public let isPlausible: Bool

    /// An event that was opened.
    public init(
      record: LocationRecord, eid: EID, heid: HEID, period: UInt32,
      status: Result<TrackerStatus, ESFRejection>, receivedAt: Timestamp, isPlausible: Bool
    ) {
      self.record = record
      location = record.location
      collectedAt = Timestamp(microseconds: record.collectedAt * 1000)
      self.eid = eid.description
      latitude = location.latitude
      longitude = location.longitude
      self.heid = heid
      self.period = period
      self.status = status
      self.receivedAt = receivedAt
      self.isPlausible = isPlausible
      batteryStatus = (try? status.get().battery.isLow) ?? false
    }
  }
}
