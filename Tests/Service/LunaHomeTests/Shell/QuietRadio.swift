import Bluetooth

/// A radio that scans and hears nobody.
final class QuietRadio: RadioProvider {
  private final class Source: AdvertisementSource {
    let description = SourceDescription(name: "quiet", simulated: true, explanation: "a test")
    let states = AsyncStream<SourceState> { $0.finish() }
    let counters = SourceCounters()
    private let (end, ending) = AsyncStream<Void>.makeStream()

    func start() async throws(SourceError) {}

    func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
      for await _ in end {}
      return nil
    }

    func stop() async { ending.finish() }
  }

  let air = RadioAir.simulated

  func makeRadio(_ mode: ScanMode) -> Radio { Radio(source: Source()) }
}
