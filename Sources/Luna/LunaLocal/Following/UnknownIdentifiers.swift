import Bluetooth
import LunaCore

/// Identifiers that were heard lately and belong to no candidate: what a wide search looks for. Keeps
/// a limited number; the oldest gives way.
struct UnknownIdentifiers {
  struct Unknown {
    let kind: DeviceKind
    /// The lowest byte of the period, where the frame tells it.
    let counter: UInt8?
    var lastHeard: Timestamp
    /// The last tier of a search that did not find it.
    var tier = 0
  }

  private(set) var entries: [UInt64: Unknown] = [:]
  private var ring: [UInt64] = []
  private var oldest = 0
  private let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  /// How many have not been searched for in `tier` yet.
  private(set) var unsearched = [0, 0]

  /// Takes note of an identifier; returns whether it is new.
  mutating func hear(_ key: UInt64, _ kind: DeviceKind, counter: UInt8?, at time: Timestamp) -> Bool
  {
    if entries[key]?.lastHeard != nil {
      entries[key]?.lastHeard = time
      return false
    }
    if ring.count < limit {
      ring.append(key)
    } else {
      forget(ring[oldest])
      ring[oldest] = key
      oldest = (oldest + 1) % limit
    }
    entries[key] = Unknown(kind: kind, counter: counter, lastHeard: time)
    unsearched[0] += 1
    return true
  }

  /// Takes an identifier out that has become known.
  mutating func forget(_ key: UInt64) {
    guard let entry = entries.removeValue(forKey: key) else { return }
    if entry.tier < 2 { unsearched[entry.tier] -= 1 }
  }

  /// Notes that a tier (0, then 1) was searched.
  mutating func markSearched(_ keys: some Sequence<UInt64>, tier: Int) {
    for key in keys where entries[key]?.tier == tier {
      entries[key]?.tier = tier + 1
      unsearched[tier] -= 1
      if tier == 0 { unsearched[1] += 1 }
    }
  }

  /// Another device is missing: everything is to be searched again.
  mutating func searchAgain() {
    for key in entries.keys { entries[key]?.tier = 0 }
    unsearched = [entries.count, 0]
  }
}
