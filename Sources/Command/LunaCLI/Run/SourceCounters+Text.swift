import Bluetooth

extension SourceCounters {
  /// The counters that are not zero, in words.
  var text: String {
    let parts: [(UInt64, String)] = [
      (overrunEvents, "reports cut short"), (unfinishedFragments, "unfinished"),
      (checksumErrors, "with a wrong checksum"), (damagedRecords, "damaged records"),
      (kernelDrops, "dropped by the kernel"), (queueDrops, "dropped in the queue"),
    ]
    let lost = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return lost.isEmpty ? "nothing lost" : lost.joined(separator: ", ")
  }
}
