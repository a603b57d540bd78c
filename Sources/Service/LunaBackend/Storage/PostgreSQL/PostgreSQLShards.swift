import Synchronization

/// The parts of a table of events that is spread over several servers: which identifiers are where, and which parts could
/// not be written a moment ago. Those are not waited for by everybody who has events of them (SCALE.md, 3.2).
final class PostgreSQLShards: Sendable {
  /// Identifiers of one part, as they were numbered when it was asked.
  struct Part {
    let place: Int64
    var indices: [Int]
  }

  /// After which time a part that failed is tried again.
  static let pause = Duration.seconds(1)
  /// How long a part is waited for where nothing else says, and by one alone where it failed before.
  static let patience = Duration.seconds(4)

  /// When they are tried again.
  private let down = Mutex<[Int64: ContinuousClock.Instant]>([:])
  private let outage: StorageOutage

  init(_ outage: StorageOutage) { self.outage = outage }

  /// Where identifiers are. It is a hint: with a wrong one a statement is for several servers, and takes longer.
  static func parts(
    of heids: [[UInt8]], _ connection: PostgreSQLConnection
  ) throws(StorageError) -> [Part] {
    let places = try connection.retrying { () throws(StorageError) -> [Int64] in
      let rows = try connection.run("SELECT unnest(luna.shard($1))", [.uuids(heids)])
      return (0..<rows.count).map { rows.isNull($0, 0) ? 0 : rows.integer($0, 0) }
    }
    var parts: [Int64: Part] = [:]
    for index in heids.indices {
      let place = index < places.count ? places[index] : 0
      parts[place, default: Part(place: place, indices: [])].indices.append(index)
    }
    return parts.values.sorted { $0.place < $1.place }
  }

  /// Whether to write to a part now. Where it failed a moment ago, one tries it for all.
  func isTried(_ place: Int64, at moment: ContinuousClock.Instant = .now) -> Bool {
    down.withLock { down in
      guard let next = down[place] else { return true }
      guard next <= moment else { return false }
      down[place] = moment + PostgreSQLShards.patience
      return true
    }
  }

  /// A part could not be written.
  func failed(
    _ place: Int64, _ error: StorageError, since start: ContinuousClock.Instant,
    at moment: ContinuousClock.Instant = .now
  ) {
    down.withLock { $0[place] = moment + PostgreSQLShards.pause }
    outage.failed(error, operation(place), since: start)
  }

  /// A part was written.
  func worked(_ place: Int64) {
    if down.withLock({ $0.removeValue(forKey: place) != nil }) { outage.worked(operation(place)) }
  }

  private func operation(_ place: Int64) -> String { "shard \(place)" }

  /// How many rows one statement writes of so many: each of these numbers has one statement, which is compiled once.
  static func piece(of count: Int) -> Int {
    var piece = 1 << (values.count - 1)
    while piece > max(1, count) { piece /= 2 }
    return piece
  }

  /// Rows of a statement with so many: the first parameter is the same for all.
  static func rows(_ piece: Int) -> String { values[piece.trailingZeroBitCount] }

  /// For 1, 2, 4 … 512 rows.
  private static let values: [String] = (0..<10).map { power in
    let rows = (0..<(1 << power)).map { row -> String in
      let names = (0..<7).map { "$\(row * 7 + $0 + 2)" }.joined(separator: ", ")
      // Where the last one is NULL in all rows, nothing else says its type.
      return "(\(names)::text, $1)"
    }
    return "VALUES " + rows.joined(separator: ", ")
  }
}
