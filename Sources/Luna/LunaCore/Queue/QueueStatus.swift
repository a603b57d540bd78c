public import Bluetooth

/// What a queue holds and what it has lost.
public struct QueueStatus: Hashable, Sendable {
  /// The events that wait.
  public var waiting = 0
  /// When the oldest of them was queued.
  public var oldest: Timestamp?
  /// How many events fit.
  public var limit = 0
  /// The confirmations that wait.
  public var confirmations = 0
  /// The events that the backend will never take, by its codes.
  public var setAside: [String: Int] = [:]
  /// The sightings and events that were lost, by reason.
  public var losses: [String: LossCount] = [:]
  /// What of that is not on the disk yet, by reason.
  public var unwritten: [String: Int] = [:]
  /// How many of the events that wait end with this process, unless their file, which is gone, can be made
  /// anew before.
  public var homeless = 0
  /// Identifiers that appear too fast; nil when they do not.
  public var crowd: CrowdStatus?
  /// How many events an hour brings, by the last day; nil when nothing is known.
  public var eventsPerHour: Double?

  /// The status of a queue that holds nothing and has lost nothing.
  public init() {}

  /// How many sightings and events were lost, by reason.
  public var dropped: [String: Int] { losses.mapValues(\.count) }

  /// How many hours of an outage fit until events are lost; nil when nothing is known.
  public var hoursLeft: Double? {
    guard let eventsPerHour, eventsPerHour > 0 else { return nil }
    return Double(limit > waiting ? limit - waiting : 0) / eventsPerHour
  }
}
