/// Tells where a machine is. `start`, then ``updates`` until they end, then `stop`.
public protocol LocationSource: AnyObject, Sendable {
  /// What it is, for a person: `gpsd at localhost:2947`.
  var description: String { get }

  /// Fixes that passed the rules of ``LocationRules``, and what is in the way of them. A source that
  /// loses its service says so and tries again until it is stopped.
  var updates: AsyncStream<LocationUpdate> { get }

  /// Begins.
  func start() async

  /// Ends; the updates end.
  func stop() async
}
