import Bluetooth
final class VirtualRadioSource: AdvertisementSource {
  init(seed: UInt64) {}
  var description: SourceDescription { SourceDescription(name: "virtual", simulated: true, explanation: "x") }
  func start() async throws(SourceError) {}
  func nextBatch() async throws(SourceError) -> [AdvertisingReport]? { nil }
  var states: AsyncStream<SourceState> { AsyncStream { $0.finish() } }
  var counters: SourceCounters { SourceCounters() }
  func stop() async {}
}
