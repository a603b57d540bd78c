import LunaJSON

#if PostgreSQL
  import LunaCore
  import LunaJSON
  import LunaProtocol

  /// Writes batches of events with one statement.
  struct PostgreSQLIngest {
    let partitions: PostgreSQLPartitions
    let connection: PostgreSQLConnection

    func run(_ jobs: [PostgreSQLPool.Ingest]) {
      do throws(StorageError) {
        var fresh = try insert(jobs)
        for job in jobs {
          // The same event in two batches: new for the first, there for the second.
          job.continuation.resume(
            returning: .success(job.events.map { fresh.remove($0.id) != nil }))
        }
      } catch {
        guard jobs.count > 1 else {
          for job in jobs { job.continuation.resume(returning: .failure(error)) }
          return
        }
        // One of them is to blame: each on its own, so that the others are kept.
        for job in jobs { run([job]) }
      }
    }

    /// - Returns: which events were not there.
    private func insert(_ jobs: [PostgreSQLPool.Ingest]) throws(StorageError) -> Set<EventID> {
      var seen: Set<EventID> = []
      // In one order everywhere, so that two backends do not wait for each other.
      let rows = jobs.flatMap(\.events).filter { seen.insert($0.id).inserted }
        .sorted { $0.id < $1.id }
      let events = rows.map(\.event)
      let parameters: [PostgreSQLValue] = [
        .blobs(events.map { $0.heid.bytes.span.array }),
        .integers(events.map { $0.day.number }), .blobs(rows.map { $0.id.bytes.span.array }),
        .integers(events.map { Int32($0.protocolVersion) }),
        .blobs(events.map(\.encodedLocation)), .integers(events.map { Int32($0.esf.value) }),
        .texts(events.map { $0.debug.map { JSONValue.object($0).description } }),
        // They came at the same time but for some milliseconds.
        .integer(jobs.first?.microseconds ?? 0),
      ]
      let days = Set(events.map(\.day))
      var isSecondTry = false
      while true {
        do throws(StorageError) {
          return try connection.retrying { () throws(StorageError) in
            try partitions.make(days, connection)
            let new = try connection.run(
              """
              INSERT INTO luna.events(
                heid, day, event_id, version, location, esf, debug, received)
              SELECT *, $8 FROM unnest($1, $2, $3, $4, $5, $6, $7)
              ON CONFLICT DO NOTHING RETURNING event_id
              """, parameters)
            return Set((0..<new.count).compactMap { EventID(new.bytes($0, 0)) })
          }
        } catch {
          // 23514: no partition for a row; another process dropped it.
          guard connection.lastState == "23514", !isSecondTry else { throw error }
          isSecondTry = true
          partitions.forget()
        }
      }
    }
  }
#endif
