import Bluetooth
import HTTPServer
import LunaCore
import LunaCrypto
import LunaFleet
import LunaJSON
import QRCodes
import WebAccess

/// How gateways come into the fleet.
enum FleetEnrolment {
  /// How long a code is good that comes with a record.
  private static let codeLifetime = Duration.seconds(3 * 86_400)

  /// `POST /v1/gateways` with a label, or with a name.
  static func add(_ object: JSONObject, _ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try JSONMembers(.object(object), name: "the body")
    let edit = try FleetEndpoints.edit(
      .gateway, object, ignoring: ["payload", "allowNoPosition"])
    guard edit.revision == nil else {
      throw ProblemDocument(
        FieldErrors([
          FleetError(.fixedField, "revision is not that of a new record", field: "revision")
        ]))
    }
    var allowsNoPosition = false
    switch object["allowNoPosition"] {
    case nil: break
    case .bool(let value)?: allowsNoPosition = value
    default: throw FormatError("allowNoPosition", "is neither true nor false")
    }
    let allows = allowsNoPosition
    if let payload = try label(members) {
      let (gateway, change) = try await api.fleet.change(by: call.actor, at: call.time) {
        work throws(FleetFailure) in try work.add(payload, edit, allowsNoPosition: allows)
      }
      return HTTPResponse(
        201, json: ["gateway": .object(gateway.json(GatewayStatus())), "change": .integer(change)])
    }
    guard edit.fields["name"] != nil else { throw FormatError("name", "is missing") }
    let code = try EnrolmentCode()
    let end = call.time.advanced(by: codeLifetime)
    let record = try code.record(name: "", until: end)
    let (gateway, change) = try await api.fleet.change(by: call.actor, at: call.time) {
      work throws(FleetFailure) in
      let made = try work.add(edit, allowsNoPosition: allows)
      try work.insert(record, of: made.gateway)
      return made
    }
    return HTTPResponse(
      201,
      json: [
        "gateway": .object(gateway.json(GatewayStatus())), "change": .integer(change),
        "code": .string(code.text), "expiresAt": .string(end.rfc3339),
      ])
  }

  /// `POST /v1/gateways` of a gateway that offers itself.
  static func offer(_ json: JSONValue, _ api: API, _ call: APICall) async throws -> HTTPResponse {
    // In this order: what is refused to an address takes nothing of what all have together.
    let own = api.offers.take(1, for: call.request.client)
    if let seconds = own ?? api.allOffers.take(1, for: "") {
      throw ProblemDocument(
        429, "rateLimited", "Too many offers.", detail: "the limit is for each address",
        retryAfter: max(1, seconds))
    }
    let offer = try EnrolmentOffer(json: json)
    let print = try GatewayPrint(publicKey: offer.publicKey)
    // Most offers come before anybody has scanned: these cost a look, and no transaction.
    let isScanned = try await api.storage.lookUp { work throws(StorageError) in
      try work.row("SELECT 1 FROM luna.fleet WHERE print = $1", [.bytes(print.bytes)]) != nil
    }
    guard isScanned else {
      throw FleetFailure.refused(
        .error(FleetError(.notEnrolled, "nobody has scanned the label of this gateway yet")))
    }
    let (gateway, isNew) = try await api.fleet.change(by: "gateway:\(print.key)", at: call.time) {
      work throws(FleetFailure) in try work.admit(offer, print: print)
    }
    if isNew {
      api.log.line(.info, "a gateway enrolled by its label", ["gateway": .string(gateway.key)])
    }
    return HTTPResponse(
      isNew ? 201 : 200,
      json: [
        "gateway": [
          "id": .string(gateway.id), "key": .string(gateway.key), "name": .string(gateway.name),
        ]
      ])
  }

  /// `POST /v1/gateways/{gateway}/enrol`.
  static func again(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try call.members(api)
    let (id, needed) = (call.parameter, call.neededRevisions)
    let payload = try label(members)
    let code = payload == nil ? try EnrolmentCode() : nil
    let end = call.time.advanced(by: codeLifetime)
    let record = try code?.record(name: "", until: end)
    let gateway = try await api.fleet.change(by: call.actor, at: call.time) {
      work throws(FleetFailure) in
      try work.check(needed, of: .gateway, id)
      return try work.enrol(id, payload, code: record)
    }
    var json: JSONObject = ["gateway": .object(gateway.json(await api.status(of: gateway)))]
    if let code {
      json.append("code", .string(code.text))
      json.append("expiresAt", .string(end.rfc3339))
    }
    return HTTPResponse(200, json: .object(json))
  }

  /// `POST /v1/payloads/label`.
  static func label(_ api: API, _ call: APICall) async throws -> HTTPResponse {
    let members = try call.members(api)
    let format = members.optional("format") == nil ? "svg" : try members.string("format")
    guard ["svg", "png"].contains(format) else {
      throw FormatError("format", "is neither svg nor png")
    }
    let payload = try await payload(members, api, call)
    guard let code = QRCode(payload.text, level: .medium) else {
      throw ProblemDocument(
        501, "noCodes", "The server cannot draw codes.", detail: "it has no libqrencode")
    }
    if format == "png" {
      guard let png = code.png() else {
        throw ProblemDocument(503, "overloaded", "The server is busy.", retryAfter: 1)
      }
      return HTTPResponse(200, "image/png", png)
    }
    let svg = code.svg(
      title: "Label of a gateway", lines: [payload.name, payload.print.id].compactMap(\.self))
    var response = HTTPResponse(200, "image/svg+xml", Array(svg.utf8))
    response.headers.append(("Content-Security-Policy", "default-src 'none'; sandbox"))
    return response
  }

  /// The label that a body brings; nil where it has none. One that is null is a mistake, and no request for a code.
  private static func label(_ members: JSONMembers) throws -> GatewayPayload? {
    guard members.object["payload"] != nil else { return nil }
    return try FleetEndpoints.payload(try members.string("payload"))
  }

  private static func payload(
    _ members: JSONMembers, _ api: API, _ call: APICall
  ) async throws -> GatewayPayload {
    if let payload = try label(members) { return payload }
    let id = try members.string("id")
    let gateway = try await api.fleet.read(at: call.time) { work throws(FleetFailure) in
      try work.present(id)
    }
    guard let payload = gateway.payload else {
      throw ProblemDocument.notFound("the key of this gateway is not known: it came by a code")
    }
    return payload
  }
}
