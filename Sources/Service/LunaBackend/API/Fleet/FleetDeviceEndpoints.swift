import Bluetooth
import HTTPServer
import LunaCore
import LunaFleet
import LunaJSON
import WebAccess

/// What gateways hear, where they tell.
enum FleetDeviceEndpoints {
  /// For how long is told how many unknown devices stayed.
  private static let past = Duration.seconds(7 * 86_400)

  static let declarations = [
    Endpoint(
      "GET", "/v1/gateways/{gateway}/devices", "listDevices", "See what a gateway hears.",
      access: .role(.viewer), replies: [.init(200, "The devices.", json: "FleetDeviceList")]
    ) { api, call in
      let id = call.parameter
      let since = call.time.advanced(by: .zero - past)
      let (devices, staying) = try await api.fleet.read(at: call.time) {
        work throws(FleetFailure) in
        _ = try work.present(id)
        return (
          try work.devices(where: "gateway = $1 AND forgotten IS NULL", [.text(id)]),
          try work.staying(of: id, since: since)
        )
      }
      var families: [String: Int64] = [:]
      for device in devices { families[device.report.family, default: 0] += 1 }
      var counts = JSONObject()
      for family in families.keys.sorted() {
        counts.append(family, .integer(families[family] ?? 0))
      }
      return HTTPResponse(
        200,
        json: [
          "devices": .array(devices.map { .object($0.json(at: call.time)) }),
          "families": .object(counts), "staying": .array(staying.map(\.json)),
        ])
    },
    Endpoint(
      "GET", "/v1/devices/{ref}", "findDevices",
      "Find a device by its pseudonym alone: one, unless a gateway lies.", access: .role(.viewer),
      replies: [.init(200, "The devices, also hidden ones.", json: "FoundDevices")]
    ) { api, call in
      let ref = call.parameters["ref"] ?? ""
      let devices = try await api.fleet.read(at: call.time) { work throws(FleetFailure) in
        // A removed gateway takes its devices with it.
        try work.devices(
          where: "ref = $1 AND gateway IN (SELECT id FROM luna.fleet WHERE removed IS NULL)",
          [.text(ref)])
      }
      guard !devices.isEmpty else { throw ProblemDocument.notFound("no device has this ref") }
      return HTTPResponse(
        200, json: ["devices": .array(devices.map { .object($0.json(at: call.time)) })])
    },
    Endpoint(
      "PATCH", "/v1/gateways/{gateway}/devices/{ref}", "editDevice", "Change fields of a device.",
      access: .role(.operator), body: "FleetDeviceEdit",
      replies: [.init(200, "The device as it is now.", json: "FleetDevice")],
      problems: [
        (409, "Somebody else changed the same fields."),
        (412, "If-Match names no revision."),
        (422, "A field cannot be so, or cannot be edited."),
        (428, "It is not said which revision is edited."),
      ]
    ) { api, call in
      var edit = try FleetEndpoints.edit(.device, try call.object(api))
      edit.revision = try call.revision(of: edit)
      let (id, object, sent) = (call.parameters["gateway"] ?? "", object(call), edit)
      let (device, isMerged, _) = try await api.fleet.change(by: call.actor, at: call.time) {
        work throws(FleetFailure) in
        _ = try work.present(id)
        return try work.editDevice(object, sent)
      }
      var json = device.json(at: call.time)
      if isMerged { json.append("merged", true) }
      var response = HTTPResponse(200, json: .object(json))
      response.headers.append(("ETag", "\"\(device.revision)\""))
      return response
    },
    Endpoint(
      "POST", "/v1/gateways/{gateway}/devices/{ref}/forget", "forgetDevice",
      "Hide a device until it is heard again a day later.", access: .role(.operator),
      replies: [.init(200, "The change.", json: "ChangeReply")],
      problems: [FleetEndpoints.notAsMatched]
    ) { api, call in
      let (id, object) = (call.parameters["gateway"] ?? "", object(call))
      let (time, needed) = (call.time, call.neededRevisions)
      let change = try await api.fleet.change(by: call.actor, at: time) {
        work throws(FleetFailure) in
        _ = try work.present(id)
        try work.check(needed, of: .device, object)
        return try work.setForgotten(object, time, .forget)
      }
      return HTTPResponse(200, json: ["change": .integer(change)])
    },
  ]

  private static func object(_ call: APICall) -> String {
    "\(call.parameters["gateway"] ?? "")/\(call.parameters["ref"] ?? "")"
  }
}
