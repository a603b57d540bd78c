/// How much a queue of telemetry holds.
package struct TelemetryLimits: Sendable {
  /// How many items and samples.
  package var items = 50_000
  /// How many bytes, counted as the queue counts them.
  package var bytes = 16 << 20
  /// How many that the backend does not want.
  package var aside = 1000

  /// What FLEET.md says.
  package init() {}
}
