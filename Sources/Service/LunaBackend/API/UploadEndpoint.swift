import Bluetooth
import HTTPServer
import LunaCore
import LunaCrypto
import LunaJSON
import LunaProtocol
import LunaWire
import WebAccess

/// `POST /trackerEvent`: events in, commands out.
enum UploadEndpoint {
  static let operation = "uploadEvents"
  /// So many bytes of a body cost as much as an event, which has more than 200 of them: reading costs
  /// something, whatever is read.
  private static let bytesPerEvent = 1024
  /// When events came is kept to the half minute, µs: beside it stands to the microsecond when each gateway came, and
  /// the same number would tell whose they are (FLEET.md, invariant).
  private static let precision: Int64 = 30_000_000

  static let declaration = Endpoint(
    "POST", "/trackerEvent", operation,
    "Store events of trackers, and get the commands that wait for these trackers. Sending an event "
      + "again does no harm.",
    access: .only(.gateway), body: "Upload", elements: EventBatch.limit,
    replies: [
      .init(200, "What became of each event. Accepted ones are on the disk.", json: "UploadReply")
    ],
    problems: [(429, "The gateway sends too many events.")]
  ) { api, call in try await answer(api, call) }

  /// The two forms of a body.
  private static func parts(
    _ json: JSONValue
  ) throws(FormatError) -> (events: [JSONValue], gateway: GatewayReport?) {
    if case .array(let events) = json { return (events, nil) }
    let members = try JSONMembers(json, name: "the body")
    _ = try members.optionalString("batchId", limit: 128)
    let gateway = try members.optional("gateway").map { value throws(FormatError) in
      try GatewayReport(json: value)
    }
    return (try members.array("events"), gateway)
  }

  private static func answer(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let (elements, gateway) = try parts(try json(api, call))
    var outcomes = [EventOutcome?](repeating: nil, count: elements.count)
    let events = try judge(elements, api, call, &outcomes)
    let results = try await ingest(events, api, call)
    var next = 0
    for index in outcomes.indices where outcomes[index] == nil {
      switch results[next] {
      case .new: outcomes[index] = .accepted
      case .known: outcomes[index] = .duplicate
      case .unplaced:
        outcomes[index] = .rejected(.storageUnavailable)
        // It comes again, and counts then.
        api.heids.giveBack(events[next].event.heid, at: call.time.microseconds / 1_000_000)
      }
      next += 1
    }
    api.metrics.events("accepted", results.count { $0 == .new })
    api.metrics.events("duplicate", results.count { $0 == .known })
    let unplaced = results.count { $0 == .unplaced }
    if unplaced > 0 { api.metrics.events(EventRejection.storageUnavailable.rawValue, unplaced) }
    if api.touches.isDue(call.name, hasReport: gateway != nil, at: call.time) {
      await touch(api, call, gateway)
    }
    let requests = try await commands(for: events, api, call)
    let reply = UploadReply(outcomes: outcomes.compactMap(\.self), commandRequests: requests)
    return HTTPResponse(200, json: reply.json)
  }

  /// The body, which the gateway has paid for before it is unpacked and read. What it turns out to
  /// cost in the end is owed.
  private static func json(_ api: API, _ call: APICall) throws(ProblemDocument) -> JSONValue {
    let paid = max(1, call.request.body.count / bytesPerEvent)
    if let seconds = api.events.take(paid, for: call.name) {
      throw ProblemDocument.tooMany(seconds)
    }
    let bytes = try call.inflated(api.configuration.limits)
    let size = max(paid, bytes.count / bytesPerEvent)
    api.events.owe(size - paid, by: call.name)
    do throws(ProblemDocument) {
      let json = try call.json(bytes)
      let count: Int
      switch json {
      case .array(let events): count = events.count
      case .object(let object):
        if case .array(let events)? = object["events"] { count = events.count } else { count = 0 }
      default: count = 0
      }
      api.events.owe(max(0, count - size), by: call.name)
      return json
    } catch {
      guard error.code == "tooManyElements" else { throw error }
      throw ProblemDocument(
        413, "tooManyEvents", "There are too many events.",
        detail: "at most \(EventBatch.limit) are taken at once")
    }
  }

  private static func ingest(
    _ events: [IdentifiedEvent], _ api: API, _ call: APICall
  ) async throws(StorageError) -> [IngestResult] {
    let now = call.time.microseconds
    do throws(StorageError) {
      let results = try await api.storage.ingest(
        events, at: Timestamp(microseconds: now - now % precision))
      api.probe.note(nil)
      return results
    } catch {
      // They come again, and count then.
      for event in events {
        api.heids.giveBack(event.event.heid, at: call.time.microseconds / 1_000_000)
      }
      if error.kind != .overloaded { api.probe.note(error) }
      throw error
    }
  }

  private static func judge(
    _ elements: [JSONValue], _ api: API, _ call: APICall, _ outcomes: inout [EventOutcome?]
  ) throws -> [IdentifiedEvent] {
    let judge = EventJudge(
      today: Day(call.time), retentionDays: Int32(clamping: api.agreed[.retention]),
      allowsDebugFields: api.configuration.allowsDebugFields)
    var events: [IdentifiedEvent] = []
    events.reserveCapacity(elements.count)
    var hash = try SHA256()
    for (index, element) in elements.enumerated() {
      do throws(EventRejection) {
        let event = try judge.judge(element)
        guard api.heids.take(event.heid, at: call.time.microseconds / 1_000_000) else {
          throw .rateLimited
        }
        events.append(IdentifiedEvent(event, id: EventID(event, using: &hash)))
      } catch {
        outcomes[index] = .rejected(error)
        api.metrics.events(error.rawValue, 1)
      }
    }
    return events
  }

  /// Not worth failing for: the events are stored.
  private static func touch(_ api: API, _ call: APICall, _ gateway: GatewayReport?) async {
    let operation = "touchGateway"
    do throws(StorageError) {
      try await api.storage.touch(call.name, report: gateway, at: call.time)
      api.signs.note(GatewayRecord(name: call.name, seenAt: call.time, report: gateway))
      try await api.fleet.adopt(call.name, at: call.time)
      api.outage.worked(operation)
    } catch {
      api.outage.failed(error, operation, since: call.began)
    }
  }

  /// Commands for trackers of the events, leased to the gateway. The events are stored: when this
  /// fails, the commands come with the next upload.
  private static func commands(
    for events: [IdentifiedEvent], _ api: API, _ call: APICall
  ) async throws -> [CommandRequest] {
    if events.isEmpty { return [] }
    let operation = "offerCommands"
    let heids = api.waiting.candidates(among: Array(Set(events.map(\.event.heid))))
    if heids.isEmpty {
      // The events were stored just now.
      api.outage.worked(operation)
      return []
    }
    do throws(StorageError) {
      // A gateway carries them out one by one: of more, the leases would lapse before their turn.
      let open = try await api.storage.openCommands(
        matching: heids, for: call.name, at: call.time
      ).sorted { ($0.expiresAt, $0.id.description) < ($1.expiresAt, $1.id.description) }
        .prefix(api.configuration.commandsPerUpload)
      api.outage.worked(operation)
      if open.isEmpty { return [] }
      let end = call.time.advanced(by: api.configuration.lease)
      let granted = try await api.storage.lease(
        open.map(\.id), to: call.name, at: call.time, until: end)
      return open.filter { granted.contains($0.id) }.map { command in
        api.metrics.command("offered")
        return CommandRequest(
          requestID: command.id.description, expiresAt: command.expiresAt,
          packages: command.packages)
      }
    } catch {
      api.outage.failed(error, operation, since: call.began)
      return []
    }
  }
}
