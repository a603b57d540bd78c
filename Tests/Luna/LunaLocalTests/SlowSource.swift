import Bluetooth
import LunaTesting

/// A source that begins when a test lets it, hears nothing, and knows whether it listens.
final class SlowSource: AdvertisementSource {
  let isAsked = Watched(false)
  let isListening = Watched(false)
  private let mayBegin: Watched<Bool>

  init(mayBegin: Bool) { self.mayBegin = Watched(mayBegin) }

  /// Lets it begin.
  func begin() { mayBegin.withLock { $0 = true } }

  let description = SourceDescription(name: "slow", simulated: true, explanation: "a test")
  let states = AsyncStream<SourceState> { $0.finish() }
  let counters = SourceCounters()

  func start() async throws(SourceError) {
    isAsked.withLock { $0 = true }
    try? await mayBegin.until { $0 }
    isListening.withLock { $0 = true }
  }

  func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    try? await isListening.until { !$0 }
    return nil
  }

  func stop() async { isListening.withLock { $0 = false } }
}
