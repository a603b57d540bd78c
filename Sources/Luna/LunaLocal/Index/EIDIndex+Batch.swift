import Dispatch
package import LunaCrypto
package import LunaProtocol

extension EIDIndex {
  /// The candidates of one LunaTracker.
  package struct Batch: Sendable {
    /// The number of the device.
    package let device: UInt32
    /// The branch Kid of its keys.
    package let identification: SecretBytes
    /// The periods.
    package let periods: PeriodRange

    /// Some periods of a device.
    package init(device: UInt32, identification: SecretBytes, periods: PeriodRange) {
      self.device = device
      self.identification = identification
      self.periods = periods
    }
  }

  /// Derives and adds the candidates of many LunaTrackers, on two threads where it is worth it.
  package mutating func insert(_ batches: [Batch]) {
    let total = batches.reduce(0) { $0 + $1.periods.count }
    keep(extra: total) { _ in true }
    // Pieces small enough that what is derived stays near, and both threads end together.
    let piece = 512
    var start = 0
    while start < batches.count {
      let end = min(start + 2 * piece, batches.count)
      let middle = start + (end - start + 1) / 2
      let halves = [batches[start..<middle], batches[middle..<end]].filter { !$0.isEmpty }
      let entries = EIDIndex.derive(halves)
      for half in entries { insert(half.span) }
      start = end
    }
  }

  private static func derive(_ halves: [ArraySlice<Batch>]) -> [[Entry]] {
    let results = UnsafeMutableBufferPointer<[Entry]>.allocate(capacity: halves.count)
    results.initialize(repeating: [])
    defer {
      results.deinitialize()
      results.deallocate()
    }
    nonisolated(unsafe) let target = results
    DispatchQueue.concurrentPerform(iterations: halves.count) { number in
      guard var schedule = try? KeySchedule() else { return }
      var entries: [Entry] = []
      entries.reserveCapacity(halves[number].reduce(0) { $0 + $1.periods.count })
      for batch in halves[number] {
        schedule.eids(batch.identification, periods: batch.periods) { period, eid in
          entries.append(Entry(key: eid.value, device: batch.device, period: period))
        }
      }
      target[number] = entries
    }
    return Array(results)
  }
}
