public import Bluetooth
import LunaCore
public import LunaJSON

/// What a gateway does just now, as far as the server knows.
public struct GatewayStatus: Hashable, Sendable {
  /// `online`, `late`, `offline` or `never`.
  public var state: String
  /// `ok`, `warn`, `bad` or `unknown`.
  public var verdict: String
  /// Why, each `{code, text, remedy}`.
  public var reasons: [JSONObject]
  /// When it was heard of last.
  public var seenAt: Timestamp?
  /// The version of its program.
  public var version: String?
  /// What it told of itself last.
  public var health: JSONObject?

  /// Nothing was ever heard of it.
  public init(
    state: String = "never", verdict: String = "unknown", reasons: [JSONObject] = [],
    seenAt: Timestamp? = nil, version: String? = nil, health: JSONObject? = nil
  ) {
    self.state = state
    self.verdict = verdict
    self.reasons = reasons
    self.seenAt = seenAt
    self.version = version
    self.health = health
  }

  /// Names of states, for searches.
  public static let states = ["online", "late", "offline", "never"]
  /// Names of verdicts.
  public static let verdicts = ["ok", "warn", "bad", "unknown"]

  var json: JSONObject {
    var json: JSONObject = ["state": .string(state), "verdict": .string(verdict)]
    if !reasons.isEmpty { json.append("reasons", .array(reasons.map { .object($0) })) }
    if let seenAt { json.append("seenAt", .string(seenAt.rfc3339)) }
    if let version { json.append("version", .string(version)) }
    if let health { json.append("health", .object(health)) }
    return json
  }
}
