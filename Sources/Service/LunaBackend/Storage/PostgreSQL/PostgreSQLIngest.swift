import LunaCore
import LunaJSON
import LunaProtocol

/// Writes batches of events with one statement or, where they are spread over several servers, with some for each part.
struct PostgreSQLIngest {
  let days: PostgreSQLDays
  let shards: PostgreSQLShards
  let connection: PostgreSQLConnection

  /// What became of events. All others were there.
  private struct Outcome {
    var fresh: Set<EventID> = []
    var unplaced: Set<EventID> = []
  }

  func run(_ jobs: [PostgreSQLPool.Ingest]) {
    // As long as the first of those who sent them waits.
    connection.end = jobs.compactMap(\.end).min()
    do throws(StorageError) {
      var outcome = try insert(jobs)
      for job in jobs {
        // The same event in two batches: new for the first, there for the second.
        job.continuation.resume(
          returning: .success(
            job.events.map {
              outcome.unplaced.contains($0.id)
                ? .unplaced : outcome.fresh.remove($0.id) != nil ? .new : .known
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

  private func insert(_ jobs: [PostgreSQLPool.Ingest]) throws(StorageError) -> Outcome {
    var seen: Set<EventID> = []
    // In one order everywhere, so that two backends do not wait for each other.
    var rows = jobs.flatMap(\.events).filter { seen.insert($0.id).inserted }
      .sorted { $0.id < $1.id }
    let moved = try find(rows)
    if !moved.isEmpty { rows.removeAll { moved.contains($0.id) } }
    var outcome = Outcome()
    if rows.isEmpty { return outcome }
    // They came at the same time but for some milliseconds.
    let time = jobs.first?.microseconds ?? 0
    let engine = try connection.findEngine()
    if engine.isSpread {
      try spread(rows, at: time, engine, &outcome)
    } else {
      try write(rows, at: time, engine, &outcome)
    }
    return outcome
  }

  /// Writes each part by itself, so that one that is gone keeps none of the others from theirs.
  private func spread(
    _ rows: [IdentifiedEvent], at microseconds: Int64, _ engine: PostgreSQLEngine,
    _ outcome: inout Outcome
  ) throws(StorageError) {
    let heids = rows.map { $0.event.heid.bytes.span.array }
    let end = connection.end
    defer { connection.end = end }
    for part in try PostgreSQLShards.parts(of: heids, connection) {
      let share = part.indices.map { rows[$0] }
      let began = ContinuousClock.now
      guard shards.isTried(part.place, at: began) else {
        outcome.unplaced.formUnion(share.map(\.id))
        continue
      }
      // However many do not answer, there is time left for the others, and to say so.
      let time = end.map { began.duration(to: $0) / 2 } ?? PostgreSQLShards.patience
      connection.end = began + time
      do throws(StorageError) {
        try write(share, at: microseconds, engine, &outcome)
        shards.worked(part.place)
      } catch {
        guard error.kind == .unavailable || error.kind == .full else { throw error }
        connection.end = end
        // Where this is not answered either, it is this server, and none behind it.
        try connection.retrying { () throws(StorageError) in try connection.execute("SELECT 1") }
        shards.failed(part.place, error, since: began)
        let fresh = outcome.fresh
        outcome.unplaced.formUnion(share.map(\.id).filter { !fresh.contains($0) })
      }
    }
  }

  /// Writes rows, each piece in a transaction of its own, but for those whose days have no place.
  private func write(
    _ rows: [IdentifiedEvent], at microseconds: Int64, _ engine: PostgreSQLEngine,
    _ outcome: inout Outcome
  ) throws(StorageError) {
    var rest = rows
    var tries = 0
    while !rest.isEmpty {
      do throws(StorageError) {
        let count = engine.isSpread ? PostgreSQLShards.piece(of: rest.count) : rest.count
        outcome.fresh.formUnion(try insert(Array(rest.prefix(count)), at: microseconds, engine))
        rest.removeFirst(count)
      } catch {
        // 23514: one of the days has no place. Making one is not for who uploads, behind whom all others
        // would wait: the rest is kept.
        tries += 1
        guard connection.lastState == "23514", tries < 5 else { throw error }
        let present = try PostgreSQLDays.present(connection)
        let more = Set(rest.map(\.event.day)).subtracting(present)
        days.want(more)
        outcome.unplaced.formUnion(rest.filter { more.contains($0.event.day) }.map(\.id))
        rest.removeAll { more.contains($0.event.day) }
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
    _ rows: [IdentifiedEvent], at microseconds: Int64, _ engine: PostgreSQLEngine
  ) throws(StorageError) -> Set<EventID> {
    let source: String
    let parameters: [PostgreSQLValue]
    if engine.isSpread {
      source = PostgreSQLShards.rows(rows.count)
      parameters = [.integer(microseconds)] + rows.flatMap(PostgreSQLIngest.values)
    } else {
      source = "SELECT *, $8 FROM unnest($1, $2, $3, $4, $5, $6, $7)"
      parameters = PostgreSQLIngest.arrays(rows) + [.integer(microseconds)]
    }
    return try connection.retrying { () throws(StorageError) in
      let new = try connection.run(
        """
        INSERT INTO luna.events(
          heid, day, event_id, version, location, esf, debug, received)
        \(source)
        \(engine.onConflict)
        RETURNING event_id
        """, parameters)
      return Set((0..<new.count).compactMap { EventID(new.bytes($0, 0)) })
    }
  }

  /// All of a column in one parameter.
  private static func arrays(_ rows: [IdentifiedEvent]) -> [PostgreSQLValue] {
    let events = rows.map(\.event)
    return [
      .uuids(events.map { $0.heid.bytes.span.array }),
      .integers(events.map { $0.day.number }), .uuids(rows.map { $0.id.bytes.span.array }),
      .integers(events.map { Int32($0.protocolVersion) }),
      .blobs(events.map(\.encodedLocation)), .integers(events.map { Int32($0.esf.value) }),
      .texts(events.map { $0.debug.map { JSONValue.object($0).description } }),
    ]
  }

  /// A row, each column in a parameter: only so the server sees where it belongs.
  private static func values(_ row: IdentifiedEvent) -> [PostgreSQLValue] {
    let event = row.event
    return [
      .uuid(event.heid.bytes.span.array), .integer(Int64(event.day.number)),
      .uuid(row.id.bytes.span.array), .integer(Int64(event.protocolVersion)),
      .bytes(event.encodedLocation), .integer(Int64(event.esf.value)),
      event.debug.map { PostgreSQLValue.text(JSONValue.object($0).description) } ?? .null,
    ]
  }
}
