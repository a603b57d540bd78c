import Bluetooth

extension SourceCounters {
  /// What was heard and what was lost, in words.
  var statistics: String { "\(reports) advertisements heard in \(packets) packets; \(text)" }

  /// Whether something was lost, or had to be repaired.
  var hasLost: Bool { !lost.isEmpty || recoverySteps > 0 }

  /// The counters that are not zero, in words.
  var text: String {
    let losses = lost.isEmpty ? "nothing lost" : lost.joined(separator: ", ")
    guard recoverySteps > 0 else { return losses }
    return losses + ", \(recoverySteps) step\(recoverySteps == 1 ? "" : "s") to recover"
  }

  private var lost: [String] {
    let parts: [(UInt64, String)] = [
      (overrunEvents, "reports cut short"), (unfinishedFragments, "unfinished"),
      (checksumErrors, "with a wrong checksum"), (damagedRecords, "damaged records"),
      (kernelDrops, "dropped by the kernel"), (queueDrops, "dropped in the queue"),
    ]
    return parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
  }
}
