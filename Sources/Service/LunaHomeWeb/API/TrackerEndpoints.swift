import Bluetooth
import Diagnosis
import HTTPServer
import LunaCore
import LunaHome
import LunaJSON
import LunaStore
import WebAccess

/// `trackers`, `onboard`, `commands`, `stream`: what is known, what can be asked for, and what changes.
enum TrackerEndpoints {
  private static let unknown: [(status: Int, when: String)] = [
    (404, "There is none, or none for who calls.")
  ]
  private static let locked = [(status: 423, when: "The keys of the trackers are locked.")]
  private static let span = ["from", "to", "limit"]

  static let all = [
    HomeEndpoint(
      "GET", "trackers", "listTrackers", "See the trackers, and all that is known of them.",
      .role(.guest), answer: "Trackers"
    ) { api, call in
      let caller = try call.caller()
      let snapshot = await api.home.snapshot()
      guard case .object(var object) = snapshot.json else {
        return HTTPResponse(500, nil, [])
      }
      // How the machine is, is not for guests.
      let kept =
        caller.role > .guest
        ? ["name", "time", "radio", "backend", "broker", "uplink"] : ["name", "time"]
      object.members.removeAll { !kept.contains($0.name) }
      object.append(
        "notices", .array(caller.role > .guest ? snapshot.notices.map(\.json) : []))
      object.append("revision", .string(String(snapshot.revision)))
      object.append("names", try await names(api, snapshot.trackers, for: caller))
      let listed = try await TrackerObjects.list(api)
      object.append(
        "trackers",
        .array(
          snapshot.trackers.filter { caller.sees($0.id) }.map {
            TrackerObjects.json($0, listed[$0.id], for: caller)
          }))
      return HTTPResponse(200, json: .object(object))
    },
    HomeEndpoint(
      "GET", "trackers/{id}", "getTracker", "See a tracker.", .role(.guest), answer: "Tracker",
      problems: unknown
    ) { api, call in
      let tracker = try await api.tracker(call)
      let listed = try await TrackerObjects.list(api)[tracker.id]
      return try TrackerObjects.answer(tracker, listed, for: try call.caller())
    },
    HomeEndpoint(
      "PATCH", "trackers/{id}", "changeTracker",
      "Change what people call a tracker, its picture, its tags, or for how long values are kept; null takes it back.",
      .role(.owner), body: "TrackerChange", answer: "Tracker", problems: ObjectEndpoints.refusals
    ) { api, call in try await TrackerObjects.change(api, call) },
    HomeEndpoint(
      "DELETE", "trackers/{id}", "forgetTracker",
      "Forget a tracker; with history=true all that it was, with keys=true that it is one's own.",
      .role(.owner), query: ["history", "keys"], 204, problems: ObjectEndpoints.refusals + locked
    ) { api, call in try await TrackerObjects.forget(api, call) },
    HomeEndpoint(
      "POST", "onboard", "onboard",
      "Make a tracker one's own, by the code on its label or a picture of it (PNG or JPEG in Base64, or as a data URL).",
      .role(.owner), body: "Onboarding", 202,
      problems: [
        (409, "Another tracker is being onboarded."), (422, "This is no code, or holds none."),
      ] + locked
    ) { api, call in try await TrackerObjects.onboard(api, call) },
    HomeEndpoint(
      "GET", "trackers/{id}/history", "getHistory",
      "See the values that a property had; bucket puts those of so many seconds together.",
      .role(.guest), query: ["property", "bucket"] + span, problems: unknown
    ) { api, call in
      let tracker = try await api.tracker(call)
      let (from, to, limit) = try time(call)
      let bucket = try call.query("bucket").map { try whole("bucket", $0, in: 1...31_622_400) }
      guard let property = call.query("property") else {
        throw FormatError("property", "is missing")
      }
      let points = try await api.home.history(
        of: property, of: tracker.id, from: max(from, try call.caller().since(tracker.id)), to: to,
        limit: limit,
        bucket: bucket.map { $0 * 1_000_000 })
      let values = points.map { point -> JSONValue in
        ["time": .string(Timestamp(microseconds: point.time).rfc3339), "value": point.value]
      }
      return HTTPResponse(
        200, json: ["property": .string(property), "values": .array(values)])
    },
    HomeEndpoint(
      "GET", "trackers/{id}/track", "getTrack", "See where a tracker was, as GeoJSON.",
      .role(.guest), query: span, 200, "application/geo+json", problems: unknown
    ) { api, call in
      let tracker = try await api.tracker(call)
      let (from, to, limit) = try time(call)
      let points = try await api.home.track(
        of: tracker.id, from: max(from, try call.caller().since(tracker.id)), to: to, limit: limit)
      let features = points.map { point -> JSONValue in
        [
          "type": "Feature",
          "geometry": [
            "type": "Point", "coordinates": [.real(point.longitude), .real(point.latitude)],
          ],
          "properties": [
            "time": .string(Timestamp(microseconds: point.time).rfc3339),
            "horizontalAccuracy": .real(point.accuracy), "source": .string(point.source),
          ],
        ]
      }
      let json: JSONValue = ["type": "FeatureCollection", "features": .array(features)]
      return HTTPResponse(200, "application/geo+json", json.bytes)
    },
    HomeEndpoint(
      "POST", "trackers/{id}/do", "doAction",
      "Ask something of a tracker: one of its actions, or to set a property.", .role(.guest),
      body: "Do", 202, problems: unknown + locked + [(409, "It cannot be asked for that.")]
    ) { api, call in
      let tracker = try await api.tracker(call)
      let members = try call.members()
      let action = try members.string("action")
      let value = members.optional("value").flatMap { PropertyValue($0) }
      guard TrackerObjects.may(try call.caller(), action, tracker.id) else {
        throw ProblemDocument(403, "forbidden", "This is not allowed to this guest.")
      }
      let row = try await api.home.perform(action, on: tracker.id, value: value)
      return HTTPResponse(
        202, json: ["commandId": .string(row.id), "state": .string(row.state)])
    },
    HomeEndpoint(
      "GET", "commands/{command}", "getCommand", "See what became of something asked for.",
      .role(.guest), problems: unknown
    ) { api, call in
      let caller = try call.caller()
      guard let row = try await api.home.command(call.parameter), caller.sees(row) else {
        throw ProblemDocument.notFound("nobody has asked for this")
      }
      guard case .object(var object) = row.document else { return HTTPResponse(500, nil, []) }
      object.append("steps", .array(await api.home.steps(of: row.id).map(\.json)))
      return HTTPResponse(200, json: .object(object))
    },
    HomeEndpoint(
      "GET", "stream", "stream", "Get what changes, as it changes.", .role(.guest), 200,
      "text/event-stream"
    ) { api, call in try await api.streams.begin(api, call) },
  ]

  /// What people call places, rules and contacts, by their ids. A guest learns only where their trackers are.
  private static func names(
    _ api: HomeAPI, _ trackers: [HomeTracker], for caller: HomeCaller
  ) async throws -> JSONValue {
    let isGuest = caller.role == .guest
    var here: Set<String> = []
    for tracker in trackers where isGuest && caller.sees(tracker.id) {
      func shown(_ name: String) -> JSONValue? {
        tracker[name].map { caller.shown($0, of: tracker.id).value }
      }
      if let zone = shown("zone")?.text { here.insert(zone) }
      guard case .array(let zones)? = shown("zones") else { continue }
      here.formUnion(zones.compactMap(\.text))
    }
    var names = JSONObject()
    for kind in [HomeObject.Kind.places, .rules, .contacts] where !isGuest || kind == .places {
      var called = JSONObject()
      for one in try await HomeObjectKeeper(kind, api).list()
      where caller.sees(one.value, of: kind) && (!isGuest || here.contains(one.id)) {
        called.append(one.id, one.value["name"] ?? .string(one.id))
      }
      names.append(kind.rawValue, .object(called))
    }
    return .object(names)
  }

  /// The span of time that a query asks for: the last day without one.
  static func time(_ call: HomeCall) throws -> (from: Int64, to: Int64, limit: Int) {
    func moment(_ name: String) throws -> Int64? {
      try call.query(name).map { text throws in
        guard let time = Timestamp(rfc3339: text) else {
          throw FormatError(name, "is not a time as 2026-01-31T12:00:00Z")
        }
        return time.microseconds
      }
    }
    let to = try moment("to") ?? call.time.microseconds + 1
    let from = try moment("from") ?? to - 86_400_000_000
    let limit = try call.query("limit").map { try whole("limit", $0, in: 1...5000) } ?? 5000
    return (from, to, Int(limit))
  }

  static func whole(
    _ name: String, _ text: String, in range: ClosedRange<Int64>
  ) throws(FormatError) -> Int64 {
    guard let number = Int64(text), range.contains(number) else {
      throw FormatError(name, "is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }
}
