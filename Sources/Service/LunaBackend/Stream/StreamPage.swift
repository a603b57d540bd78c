import Bluetooth
import HTTPServer
import LunaCore
import LunaFleet
import LunaJSON

/// Changes that follow each other, as events.
struct StreamPage: Sendable {
  /// How many changes there are in one.
  static let limit = 100

  let events: [(number: Int64, event: ServerSentEvent)]
  /// The number of the last change, whether it became an event or not.
  let last: Int64
  /// Whether there may be more.
  let isFull: Bool

  /// The changes after a number. An event has the record as it is now: of several changes of one record
  /// the earlier ones tell the same.
  init(
    after number: Int64, _ fleet: FleetStore, _ statuses: FleetStatuses
  ) async throws(FleetFailure) {
    let (changes, gateways) = try await fleet.read(at: .unknown) { work throws(FleetFailure) in
      let changes = try work.changes(
        where: "number > $1", [.integer(number)], limit: StreamPage.limit)
      var gateways: [String: Gateway] = [:]
      for id in Set(changes.compactMap(\.gateway)) {
        gateways[id] = try work.gateway(id)
      }
      return (changes, gateways)
    }
    last = changes.last?.number ?? number
    isFull = changes.count == StreamPage.limit
    events = changes.compactMap { change in
      guard let id = change.gateway else { return nil }
      var json =
        gateways[id].map { statuses.json($0) }
        // It is gone for good.
        ?? ["id": .string(id), "removedAt": .string(change.time.rfc3339)]
      if change.kind == RecordKind.device.rawValue {
        json.append("device", .string(String(change.object.drop { $0 != "/" }.dropFirst())))
      }
      return (
        change.number,
        ServerSentEvent(
          StreamTopic.gateway.rawValue, data: JSONValue.object(json).description,
          id: String(change.number))
      )
    }
  }
}
