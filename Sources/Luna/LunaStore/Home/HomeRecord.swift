public import LunaJSON

/// What is kept of a rule that ran, or did not run.
public struct HomeRecord: Sendable {
  /// What it tells of.
  public enum Kind: Int64, Sendable {
    /// A rule ran.
    case firing
    /// A rule did not run, though something has started it.
    case held
    /// The clock wanted a rule to run while nobody looked, too long ago.
    case missed
  }

  /// What it tells of.
  public let kind: Kind
  /// The id of the rule, which the file may have lost since.
  public let rule: String
  /// The id of the firing; nil for what did not run.
  public let firing: String?
  /// When, µs since 1970.
  public let time: Int64
  /// The whole record as the API tells it, the other members among it.
  public let json: JSONValue

  /// A record; `time` is in µs since 1970.
  public init(_ kind: Kind, rule: String, firing: String? = nil, time: Int64, json: JSONValue) {
    self.kind = kind
    self.rule = rule
    self.firing = firing
    self.time = time
    self.json = json
  }
}
