import LunaCore
import LunaJSON
import LunaProtocol

/// Writes batches of events with one statement.
struct PostgreSQLIngest {
  let days: PostgreSQLDays
  let connection: PostgreSQLConnection

  func run(_ jobs: [PostgreSQLPool.Ingest]) {
    // As long as the first of those who sent them waits.
    connection.end = jobs.compactMap(\.end).min()
    do throws(StorageError) {
      var (fresh, missed, moved) = try insert(jobs)
      for job in jobs {
        // The same event in two batches: new for the first, there for the second.
        job.continuation.resume(
          returning: .success(
            job.events.map {
              moved.contains($0.id)
                ? .known
                : missed.contains($0.event.day)
                  ? .unplaced : fresh.remove($0.id) != nil ? .new : .known
            }))
      }
    } catch {
      guard jobs.count > 1 else {
        for job in jobs { job.continuation.resume(returning: .failure(error)) }
        return
      }
      let now = ContinuousClock.now
      let others = jobs.filter { !$0.end.isOver(at: now) }
      if others.count < jobs.count {
        // None of them is to blame.
        for job in jobs where job.end.isOver(at: now) {
          job.continuation.resume(returning: .failure(error))
        }
        if !others.isEmpty { run(others) }
        return
      }
      // One of them is to blame: each on its own, so that the others are kept.
      for job in jobs { run([job]) }
    }
  }

  /// - Returns: which events were not there, the days that have no place, and the events that the version before has
  ///   written.
  private func insert(
    _ jobs: [PostgreSQLPool.Ingest]
  ) throws(StorageError) -> (fresh: Set<EventID>, missed: Set<Day>, moved: Set<EventID>) {
    var seen: Set<EventID> = []
    // In one order everywhere, so that two backends do not wait for each other.
    var rows = jobs.flatMap(\.events).filter { seen.insert($0.id).inserted }
      .sorted { $0.id < $1.id }
    let moved = try find(rows)
    if !moved.isEmpty { rows.removeAll { moved.contains($0.id) } }
    var missed: Set<Day> = []
    var tries = 0
    while true {
      if rows.isEmpty { return ([], missed, moved) }
      do throws(StorageError) {
        // They came at the same time but for some milliseconds.
        return (try insert(rows, at: jobs.first?.microseconds ?? 0), missed, moved)
      } catch {
        // 23514: one of the days has no place. Making one is not for who uploads, behind whom all others
        // would wait: the rest is kept.
        tries += 1
        guard connection.lastState == "23514", tries < 5 else { throw error }
        let present = try PostgreSQLDays.present(connection)
        let more = Set(rows.map(\.event.day)).subtracting(present)
        missed.formUnion(more)
        days.want(more)
        rows.removeAll { more.contains($0.event.day) }
      }
    }
  }

  /// Those that the version before has written, and that are not moved yet. They are locked, as those are that are
  /// written again.
  private func find(_ rows: [IdentifiedEvent]) throws(StorageError) -> Set<EventID> {
    let old = try days.old(connection)
    if old.isEmpty { return [] }
    let rows = rows.filter { old.contains($0.event.day) }
    let numbers = rows.map(\.event.day.number)
    guard let first = numbers.min(), let last = numbers.max() else { return [] }
    let parameters: [PostgreSQLValue] = [
      .blobs(rows.map { $0.event.heid.bytes.span.array }), .integers(numbers),
      .blobs(rows.map { $0.id.bytes.span.array }), .integer(Int64(first)), .integer(Int64(last)),
    ]
    return try connection.retrying { () throws(StorageError) in
      // One after the other by its key, which no plan can make a search through whole days.
      let found = try connection.run(
        """
        SELECT found.event_id FROM unnest($1, $2, $3) AS given(heid, day, event_id),
        LATERAL (
          SELECT o.event_id FROM luna.events_old o
          WHERE o.heid = given.heid AND o.day = given.day AND o.event_id = given.event_id
            AND o.day BETWEEN $4::int8::int4 AND $5::int8::int4
          FOR UPDATE) AS found
        """, parameters)
      return Set((0..<found.count).compactMap { EventID(found.bytes($0, 0)) })
    }
  }

  private func insert(
    _ rows: [IdentifiedEvent], at microseconds: Int64
  ) throws(StorageError) -> Set<EventID> {
    let events = rows.map(\.event)
    let parameters: [PostgreSQLValue] = [
      .uuids(events.map { $0.heid.bytes.span.array }),
      .integers(events.map { $0.day.number }), .uuids(rows.map { $0.id.bytes.span.array }),
      .integers(events.map { Int32($0.protocolVersion) }),
      .blobs(events.map(\.encodedLocation)), .integers(events.map { Int32($0.esf.value) }),
      .texts(events.map { $0.debug.map { JSONValue.object($0).description } }),
      .integer(microseconds),
    ]
    return try connection.retrying { () throws(StorageError) in
      // What is there already is locked and not written: so the commit waits for a standby as that of whoever
      // wrote it should have, and nothing is acknowledged as a duplicate that only this server has.
      let new = try connection.run(
        """
        INSERT INTO luna.events(
          heid, day, event_id, version, location, esf, debug, received)
        SELECT *, $8 FROM unnest($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT(heid, day, event_id) DO UPDATE SET version = excluded.version WHERE false
        RETURNING event_id
        """, parameters)
      return Set((0..<new.count).compactMap { EventID(new.bytes($0, 0)) })
    }
  }
}
