/// Why a source could not deliver something: the words under which losses are counted, in the order in which
/// they are told.
public enum SourceLoss: String, CaseIterable, Sendable {
  /// The kernel dropped packets: the reader was too slow.
  case kernel
  /// Reports were dropped: the consumer was too slow.
  case queue
  /// Advertising events end before their reports do.
  case overrun
  /// The remaining fragments of extended advertisements never came.
  case unfinished
  /// Link-layer frames have a wrong checksum.
  case checksum
  /// Records or packets could not be read at all.
  case damaged
}

extension SourceCounters {
  /// How much was lost for a reason.
  public func count(_ loss: SourceLoss) -> UInt64 {
    switch loss {
    case .kernel: kernelDrops
    case .queue: queueDrops
    case .overrun: overrunEvents
    case .unfinished: unfinishedFragments
    case .checksum: checksumErrors
    case .damaged: damagedRecords
    }
  }

  /// The words of ``SourceLoss`` with their numbers, always all of them.
  public var losses: [(reason: String, count: UInt64)] {
    SourceLoss.allCases.map { ($0.rawValue, count($0)) }
  }
}
