public import Bluetooth

/// A room with simulated advertisers: trackers of all makers, beacons, and things that are neither.
///
/// A value that depends on its seed and its start alone: the same two give the same reports.
public struct VirtualRoom: Sendable {
  /// When the room was opened.
  public let start: Timestamp
  /// Whether advertisers are asked for their scan responses.
  public let isActive: Bool

  private var advertisers: [VirtualAdvertiser]

  /// A room.
  ///
  /// - Parameters:
  ///   - seed: What chance decides.
  ///   - start: The time of the reports begins here.
  ///   - isActive: Whether to ask for scan responses.
  public init(seed: UInt64, start: Timestamp, isActive: Bool = true) {
    self.start = start
    self.isActive = isActive
    var generator = SplitMix64(seed: seed)
    advertisers = Blueprint.room.map { VirtualAdvertiser($0, seed: generator.next()) }
  }

  /// How many advertisers there are.
  public var count: Int { advertisers.count }

  /// When the next report is heard, µs after the start.
  public var due: Int64 { advertisers[nextIndex].due }

  /// The next report, in the order of time.
  public mutating func next() -> AdvertisingReport {
    advertisers[nextIndex].next(start: start, isActive: isActive)
  }

  private var nextIndex: Int {
    var first = 0
    for index in advertisers.indices where advertisers[index].due < advertisers[first].due {
      first = index
    }
    return first
  }
}
