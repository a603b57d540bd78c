package import LunaJSON

/// The result of a localization, as it is kept and shown (UPLINK.md, 11).
package struct LocateReport: Sendable {
  /// What was compared.
  package let profile: String
  /// Which way the data went.
  package let direction: String
  /// Both servers, as the user names them.
  package let server: String
  /// Whether nothing was sent.
  package let isSimulated: Bool
  /// What the checks with each server say.
  package private(set) var verdicts: [FairnessVerdict] = []
  /// Where the difference is made; nil where nobody knows yet.
  package private(set) var location: Location?
  private var details: JSONValue?
  private var bytes = 0
  private var seconds = 0.0
  private var path: PathPair?

  /// A result without anything yet.
  package init(profile: String, direction: String, server: String, isSimulated: Bool = false) {
    self.profile = profile
    self.direction = direction
    self.server = server
    self.isSimulated = isSimulated
  }

  /// Adds what is known of the paths.
  package mutating func add(_ path: PathPair) { self.path = path }

  /// Adds a check with one of the servers.
  package mutating func add(_ verdict: FairnessVerdict, bytes: Int, seconds: Double) {
    verdicts.append(verdict)
    self.bytes += bytes
    self.seconds += seconds
  }

  /// What both checks say; nil where they do not say the same, or not both were made.
  package var verdict: FairnessVerdict? {
    guard verdicts.count == 2, verdicts[0].word == verdicts[1].word else { return nil }
    return verdicts[0]
  }

  /// The difference that there is to be located; nil for none.
  package var difference: FairnessVerdict? {
    verdicts.count == 2 && verdicts[0].isAlong(with: verdicts[1]) ? verdicts[0] : nil
  }

  /// Says that there is nothing to be located.
  package mutating func addNothing() { location = .noEvidence }

  /// Adds what the blocks say.
  package mutating func add(_ finding: LocateFinding) {
    location = finding.location
    details = finding.json
    bytes += finding.bytes
    seconds += finding.seconds
  }

  /// Adds what a server of Wehe's says.
  package mutating func add(_ answer: LocalizeAnswer) {
    location = answer.location
    details = answer.json
  }

  /// The result.
  ///
  /// - Parameters:
  ///   - time: when it came, as in RFC 3339.
  ///   - isCancelled: whether somebody ended it before there was one.
  package func json(id: String, time: String, isCancelled: Bool = false) -> JSONObject {
    var result: JSONObject = [
      "type": "uplink", "id": .string(id), "time": .string(time), "profile": .string(profile),
      "direction": .string(direction), "server": .string(server),
    ]
    if isCancelled {
      result.append("reason", "cancelled")
    } else {
      if let verdict { result.append("verdict", .string(verdict.word)) }
      if let location { result.append("located", .string(location.rawValue)) }
    }
    if let details { result.append("location", details) }
    if let path {
      var members: JSONObject = ["shared": .integer(Int64(path.shared))]
      if path.isUnknown { members.append("unknown", true) }
      result.append("path", .object(members))
    }
    result.append("bytes", .integer(Int64(bytes)))
    result.append("seconds", .real(seconds))
    result.append("simulated", .bool(isSimulated))
    return result
  }
}
