package import Bluetooth

/// All advertisers heard, the longest silent first to go when there are too many.
///
/// One hash table over a list in the order of last contact; nothing is allocated for an advertiser
/// that is known.
package struct AdvertiserTable<Entry: AdvertiserEntry>: Sendable {
  /// The most advertisers that are held (the command-line contract).
  package static var capacity: Int { 65_536 }

  private struct Node {
    var entry: Entry
    var older: Int32
    var newer: Int32
  }

  private static var none: Int32 { -1 }

  private let capacity: Int
  private var nodes: [Node] = []
  /// Positions in `nodes`, or `none`; linear probing, never more than half full.
  private var slots: [Int32]
  private var oldest: Int32 = -1
  private var newest: Int32 = -1

  package init(capacity: Int = Self.capacity) {
    self.capacity = capacity
    slots = Array(repeating: -1, count: 1024)
  }

  /// The number of advertisers.
  package var count: Int { nodes.count }

  /// Finds or adds the advertiser of `identity`, makes it the newest and lends it to `body`.
  ///
  /// - Returns: The advertiser that had to give way, if one had.
  @inline(__always)
  package mutating func withAdvertiser(
    _ identity: Advertiser.Identity, at time: Timestamp, _ body: (inout Entry) -> Void
  ) -> Entry? {
    var dropped: Entry?
    var slot = find(identity)
    if slots[slot] == AdvertiserTable.none {
      if nodes.count == capacity {
        dropped = replaceOldest(by: Entry(identity, at: time))
        body(&nodes[Int(newest)].entry)
        return dropped
      }
      if (nodes.count + 1) * 2 > slots.count {
        grow()
        slot = find(identity)
      }
      let position = Int32(nodes.count)
      nodes.append(
        Node(
          entry: Entry(identity, at: time), older: AdvertiserTable.none,
          newer: AdvertiserTable.none))
      slots[slot] = position
      append(position)
    } else if slots[slot] != newest {
      unlink(slots[slot])
      append(slots[slot])
    }
    body(&nodes[Int(newest)].entry)
    return dropped
  }

  /// Hands out every advertiser, the longest silent first.
  package func forEachOldestFirst<Failure: Error>(
    _ body: (borrowing Entry) throws(Failure) -> Void
  ) throws(Failure) {
    var position = oldest
    while position != AdvertiserTable.none {
      try body(nodes[Int(position)].entry)
      position = nodes[Int(position)].newer
    }
  }

  /// Lends every advertiser, the longest silent first; their identities must stay.
  package mutating func updateEachOldestFirst(_ body: (inout Entry) -> Void) {
    var position = oldest
    while position != AdvertiserTable.none {
      body(&nodes[Int(position)].entry)
      position = nodes[Int(position)].newer
    }
  }

  @inline(__always)
  private static func hash(_ identity: Advertiser.Identity) -> Int {
    var hash = identity.address.value | UInt64(identity.addressType.rawValue) << 48
    hash = (hash ^ hash >> 31) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: hash ^ hash >> 32)
  }

  /// The slot that holds `identity`, or the free one where it belongs.
  @inline(__always)
  private func find(_ identity: Advertiser.Identity) -> Int {
    let mask = slots.count - 1
    var slot = AdvertiserTable.hash(identity) & mask
    while slots[slot] != AdvertiserTable.none,
      nodes[Int(slots[slot])].entry.identity != identity
    {
      slot = (slot + 1) & mask
    }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: AdvertiserTable.none, count: slots.count * 2)
    for position in nodes.indices {
      slots[find(nodes[position].entry.identity)] = Int32(position)
    }
  }

  private mutating func append(_ position: Int32) {
    nodes[Int(position)].older = newest
    nodes[Int(position)].newer = AdvertiserTable.none
    if newest == AdvertiserTable.none {
      oldest = position
    } else {
      nodes[Int(newest)].newer = position
    }
    newest = position
  }

  private mutating func unlink(_ position: Int32) {
    let node = nodes[Int(position)]
    if node.older == AdvertiserTable.none {
      oldest = node.newer
    } else {
      nodes[Int(node.older)].newer = node.newer
    }
    if node.newer == AdvertiserTable.none {
      newest = node.older
    } else {
      nodes[Int(node.newer)].older = node.older
    }
  }

  /// Puts a new advertiser into the place of the longest silent one.
  private mutating func replaceOldest(by entry: Entry) -> Entry {
    let position = oldest
    let dropped = nodes[Int(position)].entry
    unlink(position)
    remove(slot: find(dropped.identity))
    nodes[Int(position)].entry = entry
    slots[find(entry.identity)] = position
    append(position)
    return dropped
  }

  /// Empties a slot and moves up those that were pushed behind it.
  private mutating func remove(slot removed: Int) {
    let mask = slots.count - 1
    var hole = removed
    var slot = (hole + 1) & mask
    while slots[slot] != AdvertiserTable.none {
      let home = AdvertiserTable.hash(nodes[Int(slots[slot])].entry.identity) & mask
      if (slot - home) & mask >= (slot - hole) & mask {
        slots[hole] = slots[slot]
        hole = slot
      }
      slot = (slot + 1) & mask
    }
    slots[hole] = AdvertiserTable.none
  }
}
