public import LunaJSON

/// What a gateway tells of itself with an upload.
public struct GatewayReport: Hashable, Sendable {
  /// The version of its program.
  public let version: String
  /// How long it has been running, s.
  public let uptime: Int64
  /// How many events wait for upload.
  public let queueDepth: Int64

  /// A report.
  public init(version: String, uptime: Int64, queueDepth: Int64) {
    self.version = version
    self.uptime = uptime
    self.queueDepth = queueDepth
  }

  /// Reads a report.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "gateway")
    let range: ClosedRange<Int64> = 0...(1 << 53 - 1)
    version = try members.optionalString("version", limit: 64) ?? ""
    uptime = try members.optional("uptime") == nil ? 0 : members.integer("uptime", in: range)
    queueDepth =
      try members.optional("queueDepth") == nil ? 0 : members.integer("queueDepth", in: range)
  }

  /// The report as JSON.
  public var json: JSONValue {
    [
      "version": .string(version), "uptime": .integer(uptime),
      "queueDepth": .integer(queueDepth),
    ]
  }
}
