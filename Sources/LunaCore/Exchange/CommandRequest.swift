public import Bluetooth
public import LunaJSON
public import LunaProtocol

/// A command of an owner, for a gateway that hears the tracker: it rides back on an upload.
public struct CommandRequest: Hashable, Sendable {
  /// Names the request.
  public let requestId: String
  /// Until when it is to be delivered.
  public let expiresAt: Timestamp
  /// What to deliver: the packages whose heids were in the upload.
  public let packages: [ControlPackage]

  /// A request.
  public init(requestId: String, expiresAt: Timestamp, packages: [ControlPackage]) {
    self.requestId = requestId
    self.expiresAt = expiresAt
    self.packages = packages
  }
}

extension CommandRequest {
  /// Reads a request.
  public init(json: JSONValue) throws(ExchangeError) {
    let reader = try ExchangeReader(json, "commandRequest")
    var packages: [ControlPackage] = []
    for value in try reader.required("controlPackages", try reader.array("controlPackages")) {
      packages.append(try ControlPackage(json: value))
    }
    self.init(
      requestId: try reader.required("requestId", try reader.string("requestId", limit: 64)),
      expiresAt: try reader.required("expiresAt", try reader.time("expiresAt")),
      packages: packages)
  }

  /// The members.
  public var json: JSONObject {
    [
      "requestId": .string(requestId), "expiresAt": .string(expiresAt.rfc3339),
      "controlPackages": .array(packages.map { .object($0.json) }),
    ]
  }
}
