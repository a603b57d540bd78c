public import LunaProtocol

/// What an owner asks a backend for.
public struct EventQuery: Hashable, Sendable {
  /// At most so many identifiers are in one.
  public static let limit = 1024
  /// More pages than a year can have: a report each minute by twenty gateways, a thousand on a page.
  package static let pageLimit = 366 * 1440 * 20 / 1000

  /// Whose events, at most ``limit``: an identifier for each period.
  public let heids: [HEID]
  /// The first and the last day.
  public let days: ClosedRange<Day>
  /// Where the page before ended; nil for the first page.
  public let cursor: String?

  /// A query for events of some days, or for the page after `cursor`.
  public init(_ heids: [HEID], days: ClosedRange<Day>, cursor: String? = nil) {
    self.heids = heids
    self.days = days
    self.cursor = cursor
  }
}
