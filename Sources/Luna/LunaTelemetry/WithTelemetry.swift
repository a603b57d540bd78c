/// Does something in a context of its own: what is recorded in it has `subkey` in its path.
///
/// - Parameters:
///   - subkey: one part of a key, or several joined by dots.
///   - logAppearances: whether `<path>.appear` and `<path>.disappear` are recorded around it.
/// - Throws: what `body` throws; ``TelemetryError`` for a key that is none, before anything is done.
public func withTelemetry<R>(
  _ subkey: String, logAppearances: Bool = false, isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> R
) async throws -> R {
  let context = try TelemetryContext.current.entering(subkey)
  if logAppearances { try context.record("appear", "1") }
  defer { if logAppearances { try? context.record("disappear", "1") } }
  return try await TelemetryContext.$current.withValue(context) { try await body() }
}
