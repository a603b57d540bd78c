import LunaJSON

/// What became of one record among many.
struct BulkResult: Hashable, Sendable {
  enum Status: String, Sendable {
    case done, unchanged, refused
  }

  let id: String
  let status: Status
  /// Why not.
  let code: String?

  var json: JSONValue {
    var object: JSONObject = ["id": .string(id), "status": .string(status.rawValue)]
    if let code { object.append("code", .string(code)) }
    return .object(object)
  }
}
