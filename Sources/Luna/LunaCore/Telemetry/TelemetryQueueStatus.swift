public import Bluetooth

/// What a queue of telemetry holds and what it has lost.
public struct TelemetryQueueStatus: Hashable, Sendable {
  /// The items and samples that wait.
  public var waiting = 0
  /// The bytes that they count for.
  public var bytes = 0
  /// When the oldest of them happened.
  public var oldest: Timestamp?
  /// How many items the backend will never take, by its codes.
  public var setAside: [String: Int] = [:]
  /// How many were lost, by the reasons of ``TelemetryLoss``.
  public var losses: [String: LossCount] = [:]
  /// When something was sent successfully last.
  public var sentAt: Timestamp?
  /// Why the last attempt failed; nil when it did not.
  public var problem: String?

  /// The status of a queue that is empty and has lost nothing.
  public init() {}
}
