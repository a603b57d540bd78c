import Beacons
import Bluetooth

/// Counts who advertises, and of which families of beacons they are. It keeps addresses for as long as it
/// counts, and tells numbers alone.
struct AdvertiserCount: Sendable {
  /// More are not told apart.
  static let limit = 16_384

  private var known: Set<UInt64> = []
  private(set) var families: [String: Int64] = [:]
  private let decoder: BeaconDecoder
  private var beacons: [Beacon] = []

  init(decoder: BeaconDecoder) { self.decoder = decoder }

  var count: Int64 { Int64(known.count) }

  /// Somebody was heard. A family is looked for only the first time.
  mutating func take(_ report: AdvertisingReport) {
    guard report.addressType.hasAddress, known.count < AdvertiserCount.limit,
      known.insert(report.address.value << 8 | UInt64(report.addressType.rawValue)).inserted
    else { return }
    beacons.removeAll(keepingCapacity: true)
    decoder.decode(report, into: &beacons)
    if let family = beacons.first?.family.rawValue { families[family, default: 0] += 1 }
  }

  /// Begins anew.
  mutating func reset() {
    known = []
    families = [:]
  }
}
