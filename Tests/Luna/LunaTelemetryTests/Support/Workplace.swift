import LunaCore
import LunaStore
import LunaTesting

@testable import LunaTelemetry

/// A state directory that goes with the test, and telemetry in it.
final class Workplace: Sendable {
  private let folder = TestFolder()
  let clocks = HandClocks()

  var path: String { folder.path }

  var directory: StateDirectory { StateDirectory(path: path) }

  func store(_ change: (inout TelemetryLimits) -> Void = { _ in }) -> SQLiteTelemetryStore {
    var limits = TelemetryLimits()
    change(&limits)
    return SQLiteTelemetryStore(in: directory, limits: limits, clocks: clocks.clocks)
  }

  /// Telemetry that writes only when it is told to.
  func telemetry(
    to uploader: (any TelemetryUploader)? = nil,
    _ change: (inout TelemetryConfiguration) -> Void = { _ in }
  ) -> Telemetry {
    var configuration = TelemetryConfiguration()
    configuration.store = store()
    configuration.uploader = uploader
    change(&configuration)
    let never = WallClock(
      now: { [clocks] in clocks.now }, elapsed: { .zero },
      sleep: { _ in try await Task.sleep(for: .seconds(3600)) })
    return Telemetry(root: "luna", configuration, clocks: clocks.clocks, clock: never)
  }
}

extension TelemetryStore {
  /// What waits, as `key=value*count`.
  func waiting(_ limit: Int = 1000) async throws -> [String] {
    try await next(limit).map { entry in
      switch entry.content {
      case .item(let item): "\(item.key)=\(item.value)*\(item.count)"
      case .sample: "sample"
      }
    }
  }
}
