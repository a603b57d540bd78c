/// How it is watched.
public struct WatchSettings: Sendable {
  /// How soon there is an alarm.
  public var sensitivity = WatchSensitivity.medium
  /// The rules that hold.
  public var rules = WatchRules.all
  /// How many identifiers are kept.
  public var mostIdentifiers = 65_536

  /// Medium sensitivity, all rules, and room for 65,536 identifiers.
  public init() {}
}
