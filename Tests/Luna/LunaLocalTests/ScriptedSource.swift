import Bluetooth
import Synchronization

/// A source that gives what a test hands it, batch by batch, and then waits to be stopped.
final class ScriptedSource: AdvertisementSource {
  private let batches: Mutex<[[AdvertisingReport]]>
  private let isStopped = Mutex(false)
  let fault: SourceError?

  init(_ batches: [[AdvertisingReport]], fault: SourceError? = nil) {
    (states, stateFeed) = AsyncStream.makeStream()
    self.batches = Mutex(batches)
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
  func give(_ batch: [AdvertisingReport]) { batches.withLock { $0.append(batch) } }

  var description: SourceDescription {
    SourceDescription(name: "script", simulated: true, explanation: "a test")
  }
  /// What the radio does; told by ``tell(_:)``.
  let states: AsyncStream<SourceState>
  private let stateFeed: AsyncStream<SourceState>.Continuation
  private let counted = Mutex(SourceCounters())
  private let lastLosses = Mutex<@Sendable (inout SourceCounters) -> Void>({ _ in })
  var counters: SourceCounters { counted.withLock { $0 } }
  var wasStopped: Bool { isStopped.withLock { $0 } }

  func start() async throws(SourceError) { if let fault { throw fault } }

  func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    while !isStopped.withLock({ $0 }) {
      if let batch = batches.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { return batch }
      try? await Task.sleep(for: .milliseconds(5))
      if Task.isCancelled { return nil }
    }
    return nil
  }

  func stop() async {
    isStopped.withLock { $0 = true }
    let last = lastLosses.withLock { $0 }
    lose { last(&$0) }
  }
}
