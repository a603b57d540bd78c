/// Which device and period stand behind an identifier: one hash table over all candidates of all
/// devices (PROTOCOL.md, 11.2). 16 bytes an entry, open addressing, no deletion: entries whose period
/// has left its device's range are dropped when the table is next made anew.
///
/// Keys are numbers of 64 bits: the eid of a LunaTracker, or what `IdentifierKey` makes of other
/// identifiers. A key may stand for several devices.
package struct EIDIndex: ~Copyable, @unchecked Sendable {
  /// A candidate.
  package struct Entry: Hashable, Sendable {
    /// The identifier.
    package let key: UInt64
    /// The number of the device.
    package let device: UInt32
    /// The period in which the device shows the identifier.
    package let period: UInt32

    /// A candidate; `UInt32.max` is no number of a device.
    @inlinable
    package init(key: UInt64, device: UInt32, period: UInt32) {
      self.key = key
      self.device = device
      self.period = period
    }

    @usableFromInline static let none = Entry(key: 0, device: .max, period: 0)
    @usableFromInline var isNone: Bool { @inline(__always) get { device == .max } }
  }

  @usableFromInline var slots: UnsafeMutableBufferPointer<Entry>
  /// The number of entries, those that may be dropped included.
  package private(set) var count = 0

  /// An empty table.
  ///
  /// - Parameter capacity: the number of entries that it can take before it grows.
  package init(capacity: Int = 0) {
    slots = EIDIndex.makeSlots(for: capacity)
  }

  deinit { slots.deallocate() }

  /// The memory in use, bytes.
  package var byteCount: Int { slots.count * MemoryLayout<Entry>.stride }

  /// Whether another entry needs more memory.
  package var isFull: Bool { count >= EIDIndex.limit(of: slots.count) }

  /// Adds a candidate. An entry that is there already is kept once.
  @inline(__always)
  package mutating func insert(_ entry: Entry) {
    if isFull { grow() }
    var place = home(of: entry.key)
    while !slots[place].isNone {
      if slots[place] == entry { return }
      place = next(place)
    }
    slots[place] = entry
    count += 1
  }

  /// A place in the search for a key; see ``next(_:after:)``.
  package struct Cursor {
    @usableFromInline var place: Int

    @inlinable init(place: Int) { self.place = place }
  }

  /// Where to begin a search for all entries of a key.
  @inlinable
  @inline(__always)
  package func cursor(for key: UInt64) -> Cursor { Cursor(place: home(of: key)) }

  /// The next entry of a key; nil after the last.
  @inlinable
  @inline(__always)
  package func next(_ key: UInt64, after cursor: inout Cursor) -> Entry? {
    while true {
      let entry = slots[cursor.place]
      if entry.isNone { return nil }
      cursor.place = next(cursor.place)
      if entry.key == key { return entry }
    }
  }

  /// The first entry of a key.
  @inlinable
  @inline(__always)
  package func first(_ key: UInt64) -> Entry? {
    var cursor = cursor(for: key)
    return next(key, after: &cursor)
  }

  /// Makes the table anew without the entries that are not wanted any more, as large as the others
  /// need.
  ///
  /// - Parameter extra: the number of entries that are about to be added.
  package mutating func keep(extra: Int = 0, where isWanted: (Entry) -> Bool) {
    let wanted = slots.reduce(into: 0) { if !$1.isNone, isWanted($1) { $0 += 1 } }
    let old = slots
    defer { old.deallocate() }
    slots = EIDIndex.makeSlots(for: wanted + max(extra, wanted / 4))
    count = 0
    for entry in old where !entry.isNone && isWanted(entry) { put(entry) }
  }

  /// Adds many candidates: the memory of several is asked for at once, which hides most of its
  /// latency.
  package mutating func insert(_ entries: Span<Entry>) {
    if count + entries.count > EIDIndex.limit(of: slots.count) {
      keep(extra: entries.count) { _ in true }
    }
    for index in entries.indices { insert(entries[index]) }
  }

  private mutating func put(_ entry: Entry) {
    var place = home(of: entry.key)
    while !slots[place].isNone { place = next(place) }
    slots[place] = entry
    count += 1
  }

  private mutating func grow() { keep(extra: count / 2 + 16) { _ in true } }

  /// Three of four slots are used at most.
  private static func limit(of slots: Int) -> Int { slots / 4 * 3 }

  private static func makeSlots(for count: Int) -> UnsafeMutableBufferPointer<Entry> {
    let slots = UnsafeMutableBufferPointer<Entry>.allocate(capacity: (count / 3 + 8) * 4)
    slots.initialize(repeating: .none)
    return slots
  }

  /// The high half of a product spreads keys over any number of slots.
  @inlinable
  @inline(__always)
  func home(of key: UInt64) -> Int {
    let spread = key &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: spread.multipliedFullWidth(by: UInt64(slots.count)).high)
  }

  @inlinable
  @inline(__always)
  func next(_ place: Int) -> Int {
    let next = place &+ 1
    return next == slots.count ? 0 : next
  }
}
