import Bluetooth
import LunaTesting
import Synchronization

/// A source that gives what a test hands it, batch by batch, and then waits to be stopped.
final class ScriptedSource: AdvertisementSource {
  private struct Script: Sendable {
    var batches: [[AdvertisingReport]]
    var isStopped = false
  }

  private let script: Watched<Script>
  let fault: SourceError?

  init(_ batches: [[AdvertisingReport]], fault: SourceError? = nil) {
    (states, stateFeed) = AsyncStream.makeStream()
    script = Watched(Script(batches: batches))
    self.fault = fault
  }

  /// Has the radio do something.
  func tell(_ state: SourceState) { stateFeed.yield(state) }

  /// Has something lost.
  func lose(_ body: (inout SourceCounters) -> Void) { counted.withLock { body(&$0) } }

  /// Has something lost when it is stopped.
  func losesAtTheEnd(_ body: @escaping @Sendable (inout SourceCounters) -> Void) {
    lastLosses.withLock { $0 = body }
  }

  /// Has a batch heard.
  func give(_ batch: [AdvertisingReport]) { script.withLock { $0.batches.append(batch) } }

  var description: SourceDescription {
    SourceDescription(name: "script", simulated: true, explanation: "a test")
  }
  /// What the radio does; told by ``tell(_:)``.
  let states: AsyncStream<SourceState>
  private let stateFeed: AsyncStream<SourceState>.Continuation
  private let counted = Mutex(SourceCounters())
  private let lastLosses = Mutex<@Sendable (inout SourceCounters) -> Void>({ _ in })
  var counters: SourceCounters { counted.withLock { $0 } }
  var wasStopped: Bool { script.value.isStopped }

  func start() async throws(SourceError) { if let fault { throw fault } }

  func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    try? await script.until { $0.isStopped || !$0.batches.isEmpty }
    return script.withLock { $0.isStopped || $0.batches.isEmpty ? nil : $0.batches.removeFirst() }
  }

  func stop() async {
    script.withLock { $0.isStopped = true }
    let last = lastLosses.withLock { $0 }
    lose { last(&$0) }
  }
}
