import Beacons
import Bluetooth
import LunaLocal
import LunaWatch

/// Listens for one tracker of somebody else, by all that it was heard with: its address is another one by now.
struct SuspectEar: Sendable {
  private let identifiers: Set<WatchIdentifier>
  private let decoder = BeaconDecoder()
  private let last = LastReport()

  init(_ identifiers: [WatchIdentifier]) { self.identifiers = Set(identifiers) }

  /// Takes what was heard of all.
  func take(_ batch: [AdvertisingReport]) {
    // A scan response says nothing of connections.
    let report = batch.last { $0.isScanResponse != true && isIts($0) }
    if let report { last.take(report) }
  }

  private func isIts(_ report: AdvertisingReport) -> Bool {
    decoder.beacons(in: report).contains { beacon in
      WatchFrame(beacon, in: report).map { identifiers.contains($0.identifier) } ?? false
    }
  }

  /// Its last advertisement.
  var lastReport: AdvertisingReport? { last.report }

  /// Waits for its next advertisement, at most for a time.
  func next(within limit: Duration) async -> AdvertisingReport? { await last.next(within: limit) }
}
