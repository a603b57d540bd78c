import Bluetooth
import LunaCore
import LunaStore

/// An operation of a task that stands for itself, from its beginning to its end.
struct TaskOperation: Sendable {
  private let name: String
  private let number: Int?
  private let telemetry: Telemetry?

  init(_ name: String, _ cancelOn: Set<LifecyclePhase>, _ duplicates: DuplicateRule) {
    self.name = name
    telemetry = TelemetryContext.current.scope.telemetry
    number = OperationScope.global.begin(
      name, cancelOn, duplicates, at: OperationScope.moment(telemetry?.clocks ?? .system))
  }

  /// Records how long it took, unless it was cancelled.
  func end(isCancelled: Bool) {
    guard let number, let open = OperationScope.global.end(name, number: number) else { return }
    guard !isCancelled, let telemetry,
      let duration = open.duration(to: OperationScope.moment(telemetry.clocks))
    else { return }
    do throws(TelemetryError) {
      try telemetry.record(
        try TelemetryKey("global.operation.\(name)"), String(duration.wholeMilliseconds))
    } catch {
      telemetry.lose(TelemetryLoss.key)
    }
  }
}

extension Task where Failure == Never {
  /// A task whose duration is recorded as `global.operation.<operation>`, in milliseconds, unless it is
  /// cancelled. A name that is none is counted as lost.
  @discardableResult
  public static func timedOperation(
    _ operation: String, cancelOn: Set<LifecyclePhase> = [.suspend, .shutdown],
    duplicates: DuplicateRule = .unique, _ body: @escaping @Sendable () async -> Success
  ) -> Task<Success, Never> {
    let timed = TaskOperation(operation, cancelOn, duplicates)
    return Task {
      let result = await body()
      timed.end(isCancelled: Task<Never, Never>.isCancelled)
      return result
    }
  }
}

extension Task where Failure == any Error {
  /// A task whose duration is recorded as `global.operation.<operation>`, in milliseconds, unless it is
  /// cancelled. A name that is none is counted as lost.
  @discardableResult
  public static func timedOperation(
    _ operation: String, cancelOn: Set<LifecyclePhase> = [.suspend, .shutdown],
    duplicates: DuplicateRule = .unique,
    _ body: @escaping @Sendable () async throws -> Success
  ) -> Task<Success, any Error> {
    let timed = TaskOperation(operation, cancelOn, duplicates)
    return Task {
      do {
        let result = try await body()
        timed.end(isCancelled: Task<Never, Never>.isCancelled)
        return result
      } catch {
        timed.end(isCancelled: Task<Never, Never>.isCancelled || error is CancellationError)
        throw error
      }
    }
  }
}
