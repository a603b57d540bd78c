public import LunaCore

/// What a program's telemetry has recorded and sent.
public struct TelemetryStatus: Hashable, Sendable {
  /// What the queue holds.
  public var queue = TelemetryQueueStatus()
  /// What was recorded and could not be written yet.
  public var unwritten = 0
  /// Why the queue cannot be written or read; nil when it can.
  public var problem: DeviceStoreError?

  /// Nothing.
  public init() {}
}
