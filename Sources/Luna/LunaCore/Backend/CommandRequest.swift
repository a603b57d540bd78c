public import Bluetooth
public import LunaJSON
public import LunaProtocol

/// A command that a gateway is asked to carry out.
public struct CommandRequest: Hashable, Sendable {
  /// Names it in the confirmation.
  public let requestID: String
  /// Until when it is of use.
  public let expiresAt: Timestamp
  /// The packages for trackers that the gateway heard.
  public let packages: [ControlPackage]

  /// A request.
  public init(requestID: String, expiresAt: Timestamp, packages: [ControlPackage]) {
    self.requestID = requestID
    self.expiresAt = expiresAt
    self.packages = packages
  }

  /// Reads a request.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the request")
    requestID = try members.word("requestId", limit: 128)
    expiresAt = try members.time("expiresAt")
    packages = try members.array("controlPackages").map { value throws(FormatError) in
      try ControlPackage(json: value)
    }
  }

  /// The request as JSON.
  public var json: JSONValue {
    [
      "requestId": .string(requestID), "expiresAt": .string(expiresAt.rfc3339),
      "controlPackages": .array(packages.map(\.json)),
    ]
  }
}
