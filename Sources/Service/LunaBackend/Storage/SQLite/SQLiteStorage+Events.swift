public import Bluetooth
public import LunaCore
import LunaJSON
public import LunaProtocol
import SQLite

extension SQLiteStorage {
  /// Keeps events, all of them: there is one place for all days.
  ///
  /// - Returns: what became of each, in their order.
  public func ingest(
    _ events: [IdentifiedEvent], at time: Timestamp
  ) async throws(StorageError) -> [IngestResult] {
    if events.isEmpty { return [] }
    return try await writer.write(weight: events.count) { connection throws(StorageError) in
      try connection.with(
        """
        INSERT INTO events(heid, day, event_id, version, location, esf, received, debug)
        VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
        """
      ) { insert throws(StorageError) in
        var results: [IngestResult] = []
        results.reserveCapacity(events.count)
        for event in events {
          insert.bind(1, event.event.heid.bytes.span)
          insert.bind(2, Int64(event.event.day.number))
          insert.bind(3, event.id.bytes.span)
          insert.bind(4, Int64(event.event.protocolVersion))
          insert.bind(5, event.event.encodedLocation.span)
          insert.bind(6, Int64(event.event.esf.value))
          insert.bind(7, time.microseconds)
          if let debug = event.event.debug {
            insert.bind(8, JSONValue.object(debug).description)
          } else {
            insert.bind(8, nil)
          }
          try insert.run()
          results.append(connection.database.changes > 0 ? .new : .known)
        }
        return results
      }
    }
  }

  /// Events of some identifiers and days.
  public func events(
    heids: [HEID], days: ClosedRange<Day>, after position: EventPosition?, limit: Int,
    for owner: String
  ) async throws(StorageError) -> [FoundEvent] {
    // In the order of the table, each of them once.
    let heids = Set(heids).sorted { ($0.high, $0.low) < ($1.high, $1.low) }
    let first = position.map { position in
      heids.firstIndex {
        ($0.high, $0.low) >= (position.heid.high, position.heid.low)
      } ?? heids.endIndex
    }
    let left = heids[(first ?? heids.startIndex)...]
    return try await readers.read { connection throws(StorageError) in
      try connection.with(
        """
        SELECT day, event_id, version, location, esf, received, debug FROM events
        WHERE heid = ?1 AND day <= ?2 AND (day, event_id) > (?3, ?4) ORDER BY day, event_id LIMIT ?5
        """
      ) { select throws(StorageError) in
        var found: [FoundEvent] = []
        for heid in left {
          if found.count >= limit { break }
          select.bind(1, heid.bytes.span)
          select.bind(2, Int64(days.upperBound.number))
          // A row of numbers before all that can be there: no identity is empty.
          if let position, position.heid == heid, position.day >= days.lowerBound {
            select.bind(3, Int64(position.day.number))
            select.bind(4, position.id.bytes.span)
          } else {
            select.bind(3, Int64(days.lowerBound.number))
            select.bind(4, [UInt8]().span)
          }
          select.bind(5, Int64(limit - found.count))
          while try select.step() { found.append(try SQLiteStorage.event(heid, select)) }
          select.reset()
        }
        return found
      }
    }
  }

  private static func event(
    _ heid: HEID, _ row: borrowing Statement<StorageError>
  ) throws(StorageError) -> FoundEvent {
    guard let id = EventID(row.bytes(1)) else {
      throw StorageError(.damaged, "an event has an identity that is none")
    }
    var debug: JSONObject?
    if !row.isNull(6), case .object(let object)? = try? JSONReader.read(Array(row.text(6).utf8)) {
      debug = object
    }
    let event = TrackerEvent(
      protocolVersion: Int(row.integer(2)), heid: heid, encodedLocation: row.bytes(3),
      esf: ESF(value: UInt32(truncatingIfNeeded: row.integer(4))),
      day: Day(number: Int32(truncatingIfNeeded: row.integer(0))), debug: debug)
    return FoundEvent(
      IdentifiedEvent(event, id: id), receivedAt: Timestamp(microseconds: row.integer(5)))
  }

  /// In how many pieces events are dropped: each is a transaction, and uploads come between them.
  private static let pruneSlices = 1024

  /// Drops what is too old.
  public func prune(before day: Day, at time: Timestamp) async throws(StorageError) -> Int {
    var dropped = 0
    for slice in 0..<SQLiteStorage.pruneSlices {
      // By the first 10 bits of the key, so that no index on the day is needed.
      let (low, high) = (UInt16(slice) << 6, UInt16(slice) << 6 | 0x3F)
      dropped += try await writer.write { connection throws(StorageError) in
        try connection.with("DELETE FROM events WHERE heid >= ? AND heid <= ? AND day < ?") {
          delete throws(StorageError) in
          let first = [UInt8(low >> 8), UInt8(low & 0xFF)]
          let last = [UInt8(high >> 8), UInt8(high & 0xFF)] + [UInt8](repeating: 0xFF, count: 14)
          delete.bind(1, first.span)
          delete.bind(2, last.span)
          delete.bind(3, Int64(day.number))
          try delete.run()
          return connection.database.changes
        }
      }
    }
    let end = time.microseconds - 30 * 86_400_000_000
    try await writer.write { connection throws(StorageError) in
      for table in ["commands", "enrolments"] {
        try connection.with("DELETE FROM \(table) WHERE expires < ?") {
          delete throws(StorageError) in
          delete.bind(1, end)
          try delete.run()
        }
      }
    }
    return dropped
  }
}
