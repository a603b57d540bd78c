public import Bluetooth
public import LunaJSON
public import LunaProtocol

/// A command that an owner leaves at a backend for any gateway that hears the tracker
/// (`POST /v1/commands`).
public struct CommandSubmission: Hashable, Sendable {
  /// A package for each period, with one counter: the tracker executes one of them.
  public var packages: [ControlPackage]
  /// Until when it is to be delivered.
  public var expiresAt: Timestamp

  /// A command.
  public init(packages: [ControlPackage], expiresAt: Timestamp) {
    self.packages = packages
    self.expiresAt = expiresAt
  }

  /// Reads a command.
  public init(json: JSONValue) throws(ExchangeError) {
    let reader = try ExchangeReader(json, "command")
    var packages: [ControlPackage] = []
    for value in try reader.required("controlPackages", try reader.array("controlPackages")) {
      packages.append(try ControlPackage(json: value))
    }
    guard !packages.isEmpty else {
      throw ExchangeError("controlPackages", "controlPackages is empty")
    }
    self.init(
      packages: packages,
      expiresAt: try reader.required("expiresAt", try reader.time("expiresAt")))
  }

  /// The members.
  public var json: JSONObject {
    [
      "controlPackages": .array(packages.map { .object($0.json) }),
      "expiresAt": .string(expiresAt.rfc3339),
    ]
  }
}
