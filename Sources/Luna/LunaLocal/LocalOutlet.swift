import LunaCore

/// Where a scan tells what happens: to who listens to ``LunaLocal``.
struct LocalOutlet: Sendable {
  /// Gets what happened to devices, and all of them when it asks.
  let updates: @Sendable ([LocalUpdate], () -> [LocalDevice]) -> Void
  /// Gets all devices, of which one is new.
  let devices: @Sendable ([LocalDevice]) -> Void
  /// Gets what is wrong.
  let problem: @Sendable (any Error) -> Void
  /// Called after something was heard.
  let heard: @Sendable () -> Void
}
