/// What a source has seen and what it could not deliver, by reason. Nothing is dropped unseen.
public struct SourceCounters: Hashable, Sendable {
  /// Packets or records read, advertising or not.
  public var packets: UInt64 = 0
  /// Reports delivered.
  public var reports: UInt64 = 0
  /// Advertising events that end before their reports do; the reports before that point count.
  public var overrunEvents: UInt64 = 0
  /// Extended advertisements whose remaining fragments never came.
  public var unfinishedFragments: UInt64 = 0
  /// Link-layer frames with a wrong checksum.
  public var checksumErrors: UInt64 = 0
  /// Records or packets that could not be read at all.
  public var damagedRecords: UInt64 = 0
  /// Packets that the kernel dropped because the reader was too slow.
  public var kernelDrops: UInt64 = 0
  /// Reports dropped because the consumer was too slow.
  public var queueDrops: UInt64 = 0
  /// Steps that were taken to bring a scan back.
  public var recoverySteps: UInt64 = 0

  /// All zero.
  public init() {}
}

extension SourceCounters {
  /// Adds what another place has counted.
  public mutating func add(_ other: SourceCounters) {
    packets &+= other.packets
    reports &+= other.reports
    overrunEvents &+= other.overrunEvents
    unfinishedFragments &+= other.unfinishedFragments
    checksumErrors &+= other.checksumErrors
    damagedRecords &+= other.damagedRecords
    kernelDrops &+= other.kernelDrops
    queueDrops &+= other.queueDrops
    recoverySteps &+= other.recoverySteps
  }

  /// Takes off what had been counted before.
  public mutating func subtract(_ other: SourceCounters) {
    packets &-= other.packets
    reports &-= other.reports
    overrunEvents &-= other.overrunEvents
    unfinishedFragments &-= other.unfinishedFragments
    checksumErrors &-= other.checksumErrors
    damagedRecords &-= other.damagedRecords
    kernelDrops &-= other.kernelDrops
    queueDrops &-= other.queueDrops
    recoverySteps &-= other.recoverySteps
  }
}
