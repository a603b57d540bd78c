import LunaCore
import Synchronization

/// A backend in memory that keeps each item once, and does what a test says.
final class ScriptedBackend: TelemetryUploader {
  /// What a request meets.
  typealias Script = @Sendable (TelemetryUpload, Int) throws(BackendError) -> Void

  private struct State {
    var items: [TelemetryID: TelemetryItem] = [:]
    var samples = 0
    var healths: [HealthReport] = []
    var devices: [[DeviceReport]] = []
    var requests = 0
    var rejected: Set<String> = []
  }

  private let state = Mutex(State())
  private let before: Script
  private let after: Script

  /// - Parameters:
  ///   - before: refuses a request before it does anything; gets its number.
  ///   - after: loses the answer.
  init(
    before: @escaping Script = { _, _ in }, after: @escaping Script = { _, _ in },
    rejecting keys: Set<String> = []
  ) {
    self.before = before
    self.after = after
    state.withLock { $0.rejected = keys }
  }

  var requests: Int { state.withLock { $0.requests } }
  var healths: [HealthReport] { state.withLock { $0.healths } }
  var devices: [[DeviceReport]] { state.withLock { $0.devices } }
  var samples: Int { state.withLock { $0.samples } }
  var events: Int64 { state.withLock { $0.items.values.reduce(0) { $0 + $1.count } } }
  var items: [TelemetryItem] { state.withLock { Array($0.items.values) } }

  func upload(
    _ telemetry: TelemetryUpload
  ) async throws(BackendError) -> [TelemetryOutcome?] {
    let number = state.withLock { state in
      state.requests += 1
      return state.requests
    }
    try before(telemetry, number)
    let outcomes = state.withLock { state in
      if let health = telemetry.health { state.healths.append(health) }
      if !telemetry.devices.isEmpty { state.devices.append(telemetry.devices) }
      state.samples += telemetry.samples.count
      return telemetry.items.map { item -> TelemetryOutcome? in
        if state.rejected.contains(item.key) { return .rejected(code: "key") }
        if state.items[item.id] != nil { return .duplicate }
        state.items[item.id] = item
        return .accepted
      }
    }
    try after(telemetry, number)
    return outcomes
  }
}
