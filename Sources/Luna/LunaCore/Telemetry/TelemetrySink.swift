/// Takes what a part of a program has to tell of itself: `LunaTelemetry`, for `LunaFinder` and others. No
/// call waits for anything.
public protocol TelemetrySink: Sendable {
  /// Whether somebody wants to know how the gateway is; finding that out costs something.
  var wantsHealth: Bool { get }

  /// Takes how the gateway is now. The newest report counts.
  func report(_ health: HealthReport)

  /// Takes what the gateway hears that stays. The newest reports count.
  func report(_ devices: [DeviceReport])

  /// Takes note of a use; whoever does not want that does nothing.
  func record(_ usage: TelemetryUsage)
}
