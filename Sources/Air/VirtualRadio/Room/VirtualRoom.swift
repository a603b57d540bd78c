public import Bluetooth

/// A room with simulated advertisers: trackers of all makers, beacons, things that are neither, and
/// whoever else is brought along.
///
/// A value that depends on its seed, its start and its guests alone: the same give the same reports.
public struct VirtualRoom: Sendable {
  private struct Place: Sendable {
    var advertiser: any VirtualAdvertiser
    var power: PowerWalk
    /// ``VirtualAdvertiser/due``, kept here since every report asks for all of them.
    var due: Int64
  }

  /// When the room was opened.
  public let start: Timestamp
  /// Whether advertisers are asked for their scan responses.
  public let isActive: Bool

  private var places: [Place]

  /// A room.
  ///
  /// - Parameters:
  ///   - seed: What chance decides.
  ///   - start: The time of the reports begins here.
  ///   - isActive: Whether to ask for scan responses.
  ///   - guests: Who is there besides those who always are.
  public init(
    seed: UInt64, start: Timestamp, isActive: Bool = true, guests: [any VirtualAdvertiser] = []
  ) {
    self.start = start
    self.isActive = isActive
    var generator = SplitMix64(seed: seed)
    var advertisers: [any VirtualAdvertiser] = Blueprint.room.map {
      BlueprintAdvertiser($0, seed: generator.next())
    }
    advertisers += guests
    places = advertisers.map {
      Place(advertiser: $0, power: PowerWalk(seed: generator.next()), due: $0.due)
    }
  }

  /// How many advertisers there are.
  public var count: Int { places.count }

  /// Who is there.
  var advertisers: [any VirtualAdvertiser] { places.map(\.advertiser) }

  /// When the next report is heard, µs after the start.
  public var due: Int64 { places[nextIndex].due }

  /// The next report, in the order of time.
  public mutating func next() -> AdvertisingReport {
    while true {
      if let report = step() { return report }
    }
  }

  /// What is heard at ``due``; nil when the advertiser whose turn it was is silent.
  mutating func step() -> AdvertisingReport? {
    let index = nextIndex
    defer { places[index].due = places[index].advertiser.due }
    guard var report = places[index].advertiser.next(isActive: isActive) else { return nil }
    report.time = Timestamp(microseconds: start.microseconds &+ places[index].due)
    report.rssi = places[index].power.next()
    return report
  }

  private var nextIndex: Int {
    var first = 0
    for index in places.indices where places[index].due < places[first].due { first = index }
    return first
  }
}
