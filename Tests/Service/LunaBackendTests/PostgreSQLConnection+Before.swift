import Bluetooth
import LunaCore
import LunaProtocol

@testable import LunaBackend

extension PostgreSQLConnection {
  /// Keeps events as the version did whose keys were bytes, and makes their days.
  func keepAsBefore(_ events: [IdentifiedEvent]) throws(StorageError) {
    for day in Set(events.map(\.event.day)) {
      try execute(
        """
        CREATE TABLE luna.events_\(day.number) PARTITION OF luna.events
        FOR VALUES FROM (\(day.number)) TO (\(day.number + 1))
        """)
    }
    for event in events {
      _ = try run(
        """
        INSERT INTO luna.events(heid, day, event_id, version, location, esf, received)
        VALUES($1, $2::int8::int4, $3, $4::int8::int4, $5, $6::int8::int4, $7)
        """,
        [
          .bytes(event.event.heid.bytes.span.array), .integer(Int64(event.event.day.number)),
          .bytes(event.id.bytes.span.array), .integer(Int64(event.event.protocolVersion)),
          .bytes(event.event.encodedLocation), .integer(Int64(event.event.esf.value)),
          .integer(Samples.now.microseconds),
        ])
    }
  }
}
