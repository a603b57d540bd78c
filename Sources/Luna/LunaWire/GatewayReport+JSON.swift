public import LunaCore
public import LunaJSON

extension GatewayReport {
  /// Reads a report; what is missing in it is empty or 0.
  ///
  /// - Throws: where a number is not 0 to 2^53 - 1, or the version has more than 64 characters.
  public init(json: JSONValue) throws(FormatError) {
    let members = try JSONMembers(json, name: "gateway")
    let range: ClosedRange<Int64> = 0...(1 << 53 - 1)
    func count(_ name: String) throws(FormatError) -> Int64 {
      try members.optional(name) == nil ? 0 : members.integer(name, in: range)
    }
    self.init(
      version: try members.optionalString("version", limit: 64) ?? "",
      uptime: try count("uptime"), queueDepth: try count("queueDepth"))
  }

  /// The report as JSON.
  public var json: JSONValue {
    [
      "version": .string(version), "uptime": .integer(uptime),
      "queueDepth": .integer(queueDepth),
    ]
  }
}
