import Bluetooth
import LunaStore

/// Where in a program something happens: the path under which it is recorded. Tasks that are made in it
/// inherit it.
public struct TelemetryContext: Sendable {
  /// That of the present task; outside of `withTelemetry(_:logAppearances:_:)` the root.
  @TaskLocal public static var current = TelemetryContext(
    OperationScope(parent: nil, subkey: ""))

  let scope: OperationScope

  init(_ scope: OperationScope) { self.scope = scope }

  /// The keys around it and its own.
  public var path: TelemetryKey {
    var parts: [String] = []
    var place: OperationScope? = scope
    while let here = place {
      if !here.subkey.isEmpty { parts.append(here.subkey) }
      place = here.parent
    }
    let root = scope.telemetry?.root ?? TelemetryKey(root: "luna")
    // Each was looked at when it was entered.
    return (try? parts.isEmpty ? root : root.appending(parts.reversed().joined(separator: ".")))
      ?? root
  }

  /// A context within this one.
  func entering(_ subkey: String) throws(TelemetryError) -> TelemetryContext {
    _ = try path.appending(subkey)
    return TelemetryContext(OperationScope(parent: scope, subkey: subkey))
  }

  /// Records that something happened, as `<path>.event.<key>`.
  ///
  /// - Throws: ``TelemetryError`` for a key or a value that is none.
  public func logEvent(key: String, value: String = "1") throws {
    try record("event.\(key)", value)
  }

  /// Begins to measure how long something takes, recorded as `<path>.operation.<operation>` when it is
  /// finished, in milliseconds.
  ///
  /// - Parameters:
  ///   - cancelOn: what ends it without a record.
  ///   - duplicates: what becomes of it when one of that name is open here.
  /// - Throws: ``TelemetryError`` for a name that is none.
  public func beginTimedOperation(
    operation: String, cancelOn: Set<LifecyclePhase> = [.suspend, .shutdown],
    duplicates: DuplicateRule = .replace
  ) throws {
    _ = try path.appending("operation.\(operation)")
    _ = scope.begin(operation, cancelOn, duplicates, at: moment)
  }

  /// Ends what was begun here, or else in a context around this one, and records it there.
  ///
  /// - Returns: how long it took; nil when there is no such operation, or it was cancelled.
  @discardableResult
  public func finishTimedOperation(operation: String) -> Duration? {
    var place: OperationScope? = scope
    while let here = place, !here.has(operation) { place = here.parent }
    guard let place, let duration = place.end(operation)?.duration(to: moment) else { return nil }
    try? TelemetryContext(place).record(
      "operation.\(operation)", String(duration.wholeMilliseconds))
    return duration
  }

  /// The clocks of who records, now.
  private var moment: OperationMoment {
    OperationScope.moment(scope.telemetry?.clocks ?? .system)
  }

  func record(_ name: String, _ value: String) throws(TelemetryError) {
    let key = try path.appending(name)
    guard let telemetry = scope.telemetry else { return try Telemetry.check(value) }
    try telemetry.record(key, value)
  }
}
