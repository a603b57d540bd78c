import Bluetooth
import HTTPServer
import LunaCore
import LunaJSON
import LunaWire
import WebAccess

/// `POST /v1/telemetry`: what programs record of themselves, and how gateways are.
enum TelemetryEndpoint {
  /// How far ahead of the server's clock an item may be, and how old, µs.
  private static let future: Int64 = 600_000_000
  private static let age: Int64 = 8 * 86_400_000_000

  static let declaration = Endpoint(
    "POST", "/v1/telemetry", "uploadTelemetry",
    "Store what a program recorded of itself; of a gateway also how it is. Sending an item again does no "
      + "harm.",
    access: .holder, body: "Telemetry", elements: TelemetryUpload.itemLimit,
    replies: [
      .init(200, "What became of each item. Accepted ones are on the disk.", json: "TelemetryReply")
    ]
  ) { api, call in try await answer(api, call) }

  private static func answer(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try JSONMembers(try body(api, call), name: "the body")
    _ = try members.optionalString("product", limit: 64)
    let items = try judge(
      try members.optional("items") == nil ? [] : members.array("items"), at: call.time)
    let isGateway = call.caller?.kind == .token(.gateway)
    // Read from everybody, so that mistakes are told; kept of gateways alone.
    var health = try members.optional("health").map(HealthReport.init(json:))
    var samples =
      try members.optional("samples") != nil
      ? members.array("samples").map(HealthSample.init(json:)) : []
    var devices =
      try members.optional("devices") != nil
      ? members.array("devices").map(DeviceReport.init(json:)) : []
    guard devices.count <= DeviceReport.limit else {
      throw FormatError("devices", "has more than \(DeviceReport.limit) elements")
    }
    if !isGateway { (health, samples, devices) = (nil, [], []) }
    guard let caller = call.caller else { throw ProblemDocument.unauthorized }
    let count = items.count + samples.count + devices.count
    if count > 0, let seconds = api.events.take(count, for: "telemetry \(caller.label)") {
      throw ProblemDocument.tooMany(seconds)
    }
    // What is only told once comes first: an item of a request that fails is sent again.
    try await api.storage.add(samples, of: caller.name, at: call.time)
    if let health {
      // One that hears nothing uploads nothing: it is seen all the same.
      try await api.fleet.adopt(caller.name, at: call.time)
      let noted = try await api.storage.note(
        health, of: caller.name, at: call.time, limits: try await api.signs.limits())
      api.signs.note(noted)
    }
    if !devices.isEmpty {
      try await api.fleet.hear(devices, by: caller.name, at: call.time)
    }
    let isNew = try await api.storage.add(
      NewTelemetry(holder: caller.label, items: items), at: call.time)
    let outcomes = zip(items, isNew).map { item, isNew -> TelemetryOutcome in
      guard isNew else { return .duplicate }
      return item.rejection.map { .rejected(code: $0.rawValue) } ?? .accepted
    }
    return HTTPResponse(
      200, json: ["results": .array(outcomes.enumerated().map { $1.json(index: $0) })])
  }

  /// The body, which has a limit of its own.
  private static func body(_ api: API, _ call: APICall) throws(ProblemDocument) -> JSONValue {
    var limits = api.configuration.limits
    limits.inflatedBytes = min(limits.inflatedBytes, TelemetryUpload.byteLimit)
    guard call.request.body.count <= limits.inflatedBytes else {
      throw .bodyTooLarge(limits.inflatedBytes)
    }
    return try call.json(limits: limits)
  }

  private static func judge(
    _ elements: [JSONValue], at now: Timestamp
  ) throws(FormatError) -> [NewTelemetry.Item] {
    var items: [NewTelemetry.Item] = []
    for element in elements {
      let members = try JSONMembers(element, name: "the item")
      guard let id = TelemetryID(try members.string("id")) else {
        throw FormatError("id", "is not 32 hexadecimal digits in lower case")
      }
      let (time, key) = (try members.time("time"), try members.string("key"))
      let value = try members.string("value")
      let count = try members.integer("count", in: 1...1_000_000_000)
      items.append(
        NewTelemetry.Item(
          id: id, time: time, key: key, value: value, count: count,
          rejection: rejection(key, value, time, now)))
    }
    return items
  }

  private static func rejection(
    _ key: String, _ value: String, _ time: Timestamp, _ now: Timestamp
  ) -> TelemetryRejection? {
    if !TelemetryItem.isKey(key) { return .key }
    if !TelemetryItem.isValue(value) { return .value }
    if time.microseconds > now.microseconds + future { return .future }
    if time.microseconds < now.microseconds - age { return .expired }
    return nil
  }
}
