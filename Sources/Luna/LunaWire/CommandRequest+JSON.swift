import Bluetooth
public import LunaCore
public import LunaJSON
import LunaProtocol

extension CommandRequest {
  /// Reads a command that a gateway is offered (PROTOCOL.md, 12.4).
  ///
  /// - Throws: where a member is missing or cannot be; also for one package of several.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "the request")
    self.init(
      requestID: try members.word("requestId", limit: 128),
      expiresAt: try members.time("expiresAt"),
      packages: try members.array("controlPackages").map { value throws(FormatError) in
        try ControlPackage(json: value)
      })
  }

  /// The request as JSON.
  public var json: JSONValue {
    [
      "requestId": .string(requestID), "expiresAt": .string(expiresAt.rfc3339),
      "controlPackages": .array(packages.map(\.json)),
    ]
  }
}
