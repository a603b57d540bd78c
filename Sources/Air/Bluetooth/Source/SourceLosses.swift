/// Reports that a source lost since it was asked last, by reason.
public struct SourceLosses: Sendable {
  private var told = SourceCounters()

  /// Nothing was lost yet.
  public init() {}

  /// What was lost since the last call: the reasons of ``SourceCounters/losses``, each with its number.
  public mutating func take(_ counters: SourceCounters) -> [(reason: String, count: UInt64)] {
    defer { told = counters }
    return zip(counters.losses, told.losses).compactMap { now, before in
      now.count > before.count ? (now.reason, now.count - before.count) : nil
    }
  }
}

extension SourceCounters {
  /// The words under which losses are counted, with their numbers, always all of them: `kernel` (the
  /// reader was too slow), `queue` (the consumer was), `overrun`, `unfinished`, `checksum`, `damaged`.
  public var losses: [(reason: String, count: UInt64)] {
    [
      ("kernel", kernelDrops), ("queue", queueDrops), ("overrun", overrunEvents),
      ("unfinished", unfinishedFragments), ("checksum", checksumErrors),
      ("damaged", damagedRecords),
    ]
  }
}
