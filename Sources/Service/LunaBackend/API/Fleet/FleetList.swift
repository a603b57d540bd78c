import Bluetooth
import HTTPServer
import LunaFleet
import LunaJSON
import WebAccess

/// A list of gateways, as a query asks for it.
struct FleetList {
  /// A gateway that was found.
  struct Row {
    let entry: FleetDirectory.Entry
    let status: SearchedStatus

    var gateway: Gateway { entry.gateway }
  }

  private let api: API
  private let call: APICall
  private let search: FleetSearch

  init(_ api: API, _ call: APICall) throws(ProblemDocument) {
    self.api = api
    self.call = call
    let text = try call.query("q") ?? ""
    search = try FleetList.search(text)
    // The further pages of a search are no searches of their own.
    if !text.isEmpty, try call.query("cursor") == nil { try FleetList.count(api, call) }
  }

  /// Counts a search of who calls.
  ///
  /// - Throws: 429 where it is one too many.
  static func count(_ api: API, _ call: APICall) throws(ProblemDocument) {
    guard let seconds = api.searches.take(1, for: call.actor) else { return }
    throw .tooMany(seconds)
  }

  static func search(_ text: String) throws(ProblemDocument) -> FleetSearch {
    do throws(FleetError) {
      return try FleetSearch(text)
    } catch { throw ProblemDocument(error) }
  }

  /// The gateways that a search finds, in ``FleetOrder/byName``.
  static func found(
    _ search: FleetSearch, _ api: API, at time: Timestamp
  ) async throws -> (rows: [Row], statuses: FleetStatuses) {
    let statuses = try await api.signs.statuses(at: time)
    let rows = try await api.directory.present().entries.compactMap { entry -> Row? in
      let status = statuses.searched(entry)
      guard search.finds(entry.searched, status, at: time) else { return nil }
      return Row(entry: entry, status: status)
    }
    return (rows, statuses)
  }

  func answer() async throws -> HTTPResponse {
    let limit = Int(try call.number("limit", in: 1...500) ?? 500)
    let order = try sorting()
    let after = try cursor()
    let key = try sectionKey()
    let isExport = try call.number("export", in: 0...1) == 1
    let (found, statuses) = try await FleetList.found(search, api, at: call.time)
    if isExport, after == nil { try await noteExport(of: found.count) }
    let all = sorted(found, order)
    let rest =
      after.map { after in
        all.drop { !order.isBefore(after, ($0.key, $0.entry.gateway.id)) }
      } ?? all[...]
    let page = rest.prefix(limit)
    var json: JSONObject = [
      "gateways": .array(page.map { .object(statuses.json($0.entry.gateway)) }),
      "total": .integer(Int64(found.count)),
      "sections": .array(
        FleetSection.sections(of: found.lazy.map(\.gateway), by: key).map(\.json)),
    ]
    if rest.count > limit, let last = page.last {
      json.append("cursor", .string(Hex.lower(Array("\(last.entry.gateway.id)\(last.key)".utf8))))
    }
    return HTTPResponse(200, json: .object(json))
  }

  /// Notes that somebody takes what was found along.
  private func noteExport(of count: Int) async throws {
    api.audit("gateways exported", by: call.caller, ["count": .integer(Int64(count))])
    let search = (try call.query("q") ?? "").filter { $0 != "\0" }
    try await api.accounts.by(call.caller).note(
      AuditEntry(
        .fleet, "gateways", .export, ["count": (nil, String(count)), "search": (nil, search)]),
      at: call.time)
  }

  /// What was found in an order, with what that goes by.
  private func sorted(
    _ rows: [Row], _ order: FleetOrder
  ) -> [(key: String, entry: FleetDirectory.Entry)] {
    if order.field == .name {
      let rows = rows.map { (key: $0.entry.nameKey, entry: $0.entry) }
      return order.isReversed ? rows.reversed() : rows
    }
    return rows.map { (key: order.key($0.gateway, $0.status), entry: $0.entry) }
      .sorted { order.isBefore(($0.key, $0.entry.gateway.id), ($1.key, $1.entry.gateway.id)) }
  }

  func map() async throws -> HTTPResponse {
    let (rows, statuses) = try await FleetList.found(search, api, at: call.time)
    var beside = 0
    var shown: [JSONValue] = []
    for row in rows {
      let (gateway, status) = (row.gateway, row.status)
      guard let (latitude, longitude) = gateway.place?.position else {
        beside += 1
        continue
      }
      var json: JSONObject = [
        "id": .string(gateway.id), "name": .string(gateway.name), "latitude": .real(latitude),
        "longitude": .real(longitude), "state": .string(status.state),
        "verdict": .string(status.verdict),
      ]
      if GatewaySigns.isSimulated(gateway, statuses.signs[gateway.key]) {
        json.append("simulated", true)
      }
      shown.append(.object(json))
    }
    return HTTPResponse(
      200, json: ["gateways": .array(shown), "withoutPosition": .integer(Int64(beside))])
  }

  private func sorting() throws(ProblemDocument) -> FleetOrder {
    guard let text = try call.query("sort") else { return .byName }
    guard let order = FleetOrder(text) else {
      throw ProblemDocument(
        400, "query", "The query is malformed.",
        detail: "sort is \(FleetOrder.Field.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return order
  }

  private func sectionKey() throws(ProblemDocument) -> FleetSection.Key {
    guard let text = try call.query("sections") else { return .site }
    guard let key = FleetSection.Key(rawValue: text) else {
      throw ProblemDocument(
        400, "query", "The query is malformed.", detail: "sections is site or tag")
    }
    return key
  }

  /// What a page ended with: the `id`, then what was sorted by.
  private func cursor() throws(ProblemDocument) -> (key: String, id: String)? {
    guard let text = try call.query("cursor") else { return nil }
    guard let bytes = Hex.bytes(text), bytes.count >= 16,
      let key = String(validating: bytes.dropFirst(16), as: UTF8.self),
      let id = String(validating: bytes.prefix(16), as: UTF8.self)
    else {
      throw ProblemDocument(
        400, "query", "The query is malformed.", detail: "cursor is none that was given out")
    }
    return (key, id)
  }
}
