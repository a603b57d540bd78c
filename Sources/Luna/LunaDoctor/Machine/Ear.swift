import Bluetooth
import LunaCore

/// Listens for a while and counts.
struct Ear: Sendable {
  /// How many advertisers are told apart.
  private static let limit = 65_536

  private let source: any AdvertisementSource
  private let clock: WallClock
  private let duration: Duration

  init(_ source: any AdvertisementSource, clock: WallClock, for duration: Duration) {
    self.source = source
    self.clock = clock
    self.duration = duration
  }

  /// Listens; the source is stopped at the end, also of a task that is cancelled.
  func listen() async -> ListenFacts {
    var facts = ListenFacts(
      name: source.description.name, seconds: duration.components.seconds)
    let (source, clock, duration) = (source, clock, duration)
    await withTaskCancellationHandler {
      do throws(SourceError) {
        try await source.start()
      } catch {
        facts.error = error
        return
      }
      facts.name = source.description.name
      facts.explanation = source.description.explanation
      let end = Task {
        try? await clock.sleep(duration)
        await source.stop()
      }
      await count(into: &facts)
      end.cancel()
    } onCancel: {
      Task { await source.stop() }
    }
    await source.stop()
    return facts
  }

  private func count(into facts: inout ListenFacts) async {
    var advertisers: Set<BluetoothAddress> = []
    do throws(SourceError) {
      while let batch = try await source.nextBatch() {
        facts.reports += batch.count
        for report in batch
        where report.addressType.hasAddress && advertisers.count < Ear.limit {
          advertisers.insert(report.address)
        }
      }
    } catch {
      // What was heard before counts.
      if facts.reports == 0 { facts.error = error }
    }
    facts.advertisers = advertisers.count
  }
}
