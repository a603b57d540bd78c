/// Part of what a backend has for a query.
public struct EventPage: Hashable, Sendable {
  /// The events that could be read, in the order of the backend.
  public let events: [StoredEvent]
  /// How many elements make no sense; they are left out, not the page.
  public let unreadable: Int
  /// What to ask with for the next page; nil when this is the last.
  public let cursor: String?

  /// A page; the last one has no `cursor`.
  public init(_ events: [StoredEvent], cursor: String?, unreadable: Int = 0) {
    self.events = events
    self.cursor = cursor
    self.unreadable = unreadable
  }
}
