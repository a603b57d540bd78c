import Diagnosis
package import LunaCore
import LunaStore
import Synchronization

/// How something is recorded, and gets to the disk.
extension Telemetry {
  /// How long something waits to be written.
  private static let writeDelay = Duration.seconds(1)
  /// How long what could not be written waits, unless something else is.
  private static let retryDelay = Duration.seconds(30)

  static func check(_ value: String) throws(TelemetryError) {
    guard TelemetryItem.isValue(value) else {
      throw TelemetryError(
        .value, "a value of telemetry has more than \(TelemetryItem.valueLimit) characters",
        remedy: "record which of a few it is, or a number")
    }
  }

  /// Records something.
  nonisolated func record(_ key: TelemetryKey, _ value: String) throws(TelemetryError) {
    try Telemetry.check(value)
    let window = bufferInterval
    follow(
      buffer.withLock {
        $0.add(key: key.text, value: value, at: clocks.awake(), within: window) { clocks.time }
      })
  }

  /// Counts something that could not be recorded.
  nonisolated func lose(_ reason: String) { follow(buffer.withLock { $0.lose(reason) }) }

  nonisolated func follow(_ advice: TelemetryBuffer.Advice) {
    switch advice {
    case .nothing: break
    case .soon:
      Task { [clock] in
        try? await clock.sleep(Telemetry.writeDelay)
        await write()
      }
    case .now: Task { await write() }
    }
  }

  /// Does something with this telemetry instead of the program's.
  package nonisolated func within<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let scope = OperationScope(parent: nil, subkey: "", telemetry: self)
    return try await TelemetryContext.$current.withValue(TelemetryContext(scope)) {
      try await body()
    }
  }

  /// Whether a text can be the root of keys.
  package static func isRoot(_ text: String) -> Bool { TelemetryItem.isPath(text, parts: 1...8) }

  /// Records something under the root, for a command: it is on the disk when this returns.
  package func log(_ name: String, value: String = "1") async throws {
    try record(try root.appending(name), value)
    if let problem = await save() { throw problem }
  }

  /// Writes what was recorded.
  ///
  /// - Returns: why that, or what was asked for before, is not possible.
  package func save() async -> DeviceStoreError? {
    await write()
    return problem
  }

  /// Writes what was recorded; when that is not possible it waits, as much as there is room for.
  func write() async {
    // What somebody else has taken out is on the disk, too, when this returns.
    let before = writing
    let task = Task {
      await before?.value
      await writeNow()
    }
    writing = task
    await task.value
  }

  private func writeNow() async {
    let window = bufferInterval
    var (records, losses) = buffer.withLock {
      ($0.drain(at: clocks.awake(), within: window), $0.drainLosses())
    }
    guard !records.isEmpty || !losses.isEmpty else { return }
    do throws(DeviceStoreError) {
      let store = try opened()
      try await store.append(records, within: window)
      records = []
      while let (reason, number) = losses.first {
        try await store.count(lost: reason, by: number)
        losses[reason] = nil
      }
      problem = nil
    } catch {
      // What is written already is not written twice.
      problem = error
      buffer.withLock { [records, losses] in $0.restore(records, losses) }
      retry()
    }
  }

  /// Writes again in a while, whether or not something is recorded until then.
  private func retry() {
    guard retrying == nil else { return }
    retrying = Task { [weak self, clock] in
      guard (try? await clock.sleep(Telemetry.retryDelay)) != nil else { return }
      await self?.writeAgain()
    }
  }

  private func writeAgain() async {
    retrying = nil
    await write()
  }

  func opened() throws(DeviceStoreError) -> any TelemetryStore {
    if let store { return store }
    throw obstacle
      ?? DeviceStoreError(
        .failed, "there is no place for telemetry", remedy: "name \(.namedDirectory)")
  }
}
