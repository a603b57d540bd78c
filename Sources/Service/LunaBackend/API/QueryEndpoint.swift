import HTTPServer
import LunaCore
import LunaJSON
import LunaWire
import WebAccess

/// `POST /v1/events/query`: events for their owner.
enum QueryEndpoint {
  static let declaration = Endpoint(
    "POST", "/v1/events/query", "queryEvents",
    "Get the events of some identifiers and days, by identifier, day and identity. A page that is "
      + "not the last has a cursor for the next one.",
    access: .only(.owner), body: "EventQuery", elements: EventQuery.limit,
    replies: [.init(200, "A page of events.", json: "EventPage")]
  ) { api, call in
    let query = try EventQuery(json: try call.json(limits: api.configuration.limits))
    var position: EventPosition?
    if let cursor = query.cursor {
      position = EventPosition(cursor: cursor)
      guard position != nil else { throw FormatError("cursor", "is not one of this server") }
    }
    let size = api.configuration.pageSize
    let found = try await api.storage.events(
      heids: query.heids, days: query.days, after: position, limit: size, for: call.name)
    let cursor = found.count < size ? nil : found.last.map { EventPosition($0.event).cursor }
    return HTTPResponse(200, json: EventPage(found.map(\.stored), cursor: cursor).json)
  }
}
