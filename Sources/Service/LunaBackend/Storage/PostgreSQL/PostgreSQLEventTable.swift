import LunaCore

/// The tables of events, each with a partition a day.
enum PostgreSQLEventTable: String, CaseIterable {
  /// Where events are written.
  case current = "events"
  /// What the version before has written, its keys as bytes, until it is moved (``PostgreSQLMove``).
  case old = "events_old"

  var name: String { "luna.\(rawValue)" }

  /// The partition of a day.
  func partition(_ day: Day) -> String { "luna.\"\(rawValue)_\(day.number)\"" }

  /// Whose partition a table is by its name, without that of the schema.
  func day(_ partition: String) -> Day? {
    let prefix = "\(rawValue)_"
    guard partition.hasPrefix(prefix) else { return nil }
    return Int32(partition.dropFirst(prefix.count)).map(Day.init(number:))
  }

  /// An identifier of 16 bytes.
  func key(_ bytes: [UInt8]) -> PostgreSQLValue { self == .old ? .bytes(bytes) : .uuid(bytes) }

  /// Identifiers of 16 bytes.
  func keys(_ bytes: [[UInt8]]) -> PostgreSQLValue {
    self == .old ? .blobs(bytes) : .uuids(bytes)
  }
}
