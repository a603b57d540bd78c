/// The way of telemetry to a backend: `LunaClient`, for `LunaTelemetry` and others.
public protocol TelemetryUploader: Sendable {
  /// Sends telemetry.
  ///
  /// - Returns: what became of each item; nil for those that the backend said nothing of. When it throws,
  ///   they may be there or not, and sending them again does no harm.
  func upload(_ telemetry: TelemetryUpload) async throws(BackendError) -> [TelemetryOutcome?]
}
