/// Entries that go out as one.
package struct Shipment: Hashable, Sendable {
  package let lane: String
  package let entries: [OutboxEntry]
  /// Whether they come from several rules, or waited.
  package let isDigest: Bool

  /// Their numbers.
  package var ids: [Int64] { entries.map(\.id) }

  init(lane: String, entries: [OutboxEntry], isDigest: Bool) {
    self.lane = lane
    self.entries = entries
    self.isDigest = isDigest
  }

  /// One that goes alone.
  package init(_ entry: OutboxEntry) {
    self.init(lane: entry.lane, entries: [entry], isDigest: false)
  }
}
