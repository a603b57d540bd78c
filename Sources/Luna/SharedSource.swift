import Bluetooth

/// A source that others connect beside: they are told before it stops.
final class SharedSource: AdvertisementSource {
  private let source: any AdvertisementSource
  private let willStop: @Sendable () async -> Void

  init(_ source: any AdvertisementSource, willStop: @escaping @Sendable () async -> Void) {
    self.source = source
    self.willStop = willStop
  }

  var description: SourceDescription { source.description }
  var states: AsyncStream<SourceState> { source.states }
  var counters: SourceCounters { source.counters }

  func start() async throws(SourceError) { try await source.start() }

  func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    try await source.nextBatch()
  }

  func stop() async {
    await willStop()
    await source.stop()
  }
}
