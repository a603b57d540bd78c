import HTTPServer
import LunaFleet
import LunaJSON
import WebAccess

/// Pictures of gateways and devices.
enum FleetPictureEndpoints {
  private static let types = PictureFormat.allCases.map(\.rawValue)
  private static let problems: [(status: Int, when: String)] = [
    FleetEndpoints.notAsMatched, (413, "The picture is too large."),
    (415, "It is no JPEG, PNG or WebP picture."),
    (422, "The picture is damaged, moves, or has too many pixels."),
  ]

  static let declarations = [
    Endpoint(
      "PUT", "/v1/gateways/{gateway}/picture", "putGatewayPicture", "Give a gateway a picture.",
      access: .role(.operator), files: types,
      replies: [.init(200, "The gateway as it is now.", json: "Gateway")], problems: problems
    ) { api, call in
      try await editGateway(.string(try await keep(api, call)), api, call)
    },
    Endpoint(
      "DELETE", "/v1/gateways/{gateway}/picture", "deleteGatewayPicture",
      "Take the picture of a gateway away.", access: .role(.operator),
      replies: [.init(200, "The gateway as it is now.", json: "Gateway")],
      problems: [FleetEndpoints.notAsMatched]
    ) { api, call in try await editGateway(.null, api, call) },
    Endpoint(
      "PUT", "/v1/gateways/{gateway}/devices/{ref}/picture", "putDevicePicture",
      "Give a device a picture.", access: .role(.operator), files: types,
      replies: [.init(200, "The device as it is now.", json: "FleetDevice")], problems: problems
    ) { api, call in
      try await editDevice(.string(try await keep(api, call)), api, call)
    },
    Endpoint(
      "DELETE", "/v1/gateways/{gateway}/devices/{ref}/picture", "deleteDevicePicture",
      "Take the picture of a device away.", access: .role(.operator),
      replies: [.init(200, "The device as it is now.", json: "FleetDevice")],
      problems: [FleetEndpoints.notAsMatched]
    ) { api, call in try await editDevice(.null, api, call) },
    Endpoint(
      "GET", "/v1/pictures/{hash}", "getPicture", "See a picture.", access: .role(.viewer),
      replies: [.init(200, "The picture.", files: types)]
    ) { api, call in
      let hash = call.parameter
      let picture = try await api.fleet.read(at: call.time) { work throws(FleetFailure) in
        try work.picture(hash)
      }
      guard let picture else { throw ProblemDocument.notFound("no picture has this hash") }
      var response = HTTPResponse(200, picture.type, picture.bytes)
      response.headers += [
        ("Content-Security-Policy", "default-src 'none'; sandbox"),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "private, max-age=31536000, immutable"),
      ]
      return response
    },
  ]

  /// Strips and keeps the picture of a request.
  ///
  /// - Returns: its hash.
  private static func keep(_ api: API, _ call: APICall) async throws -> String {
    if let seconds = api.sentPictures.take(1, for: call.actor) {
      throw ProblemDocument.tooMany(seconds)
    }
    let picture: FleetPicture
    do throws(FleetError) {
      picture = try FleetPicture(stripping: call.request.body)
    } catch { throw ProblemDocument(error) }
    let hash = try picture.hash()
    try await api.fleet.change(by: call.actor, at: call.time) { work throws(FleetFailure) in
      try work.add(picture, hash: hash)
    }
    return hash
  }

  private static func editGateway(
    _ value: JSONValue, _ api: API, _ call: APICall
  ) async throws -> HTTPResponse {
    let edit = try FleetEndpoints.edit(.gateway, ["picture": value])
    let (id, needed) = (call.parameters["gateway"] ?? "", call.neededRevisions)
    let (gateway, _, _) = try await api.fleet.change(by: call.actor, at: call.time) {
      work throws(FleetFailure) in
      try work.check(needed, of: .gateway, id)
      return try work.edit(id, edit)
    }
    return try await FleetEndpoints.reply(200, gateway, api, call)
  }

  private static func editDevice(
    _ value: JSONValue, _ api: API, _ call: APICall
  ) async throws -> HTTPResponse {
    let edit = try FleetEndpoints.edit(.device, ["picture": value])
    let id = call.parameters["gateway"] ?? ""
    let object = "\(id)/\(call.parameters["ref"] ?? "")"
    let needed = call.neededRevisions
    let (device, _, _) = try await api.fleet.change(by: call.actor, at: call.time) {
      work throws(FleetFailure) in
      _ = try work.present(id)
      try work.check(needed, of: .device, object)
      return try work.editDevice(object, edit)
    }
    return HTTPResponse(200, json: .object(device.json(at: call.time)))
  }
}
