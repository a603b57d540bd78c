public import LunaJSON

/// A rule, and how it is.
public struct HomeRuleStatus: Sendable {
  /// What it is.
  public let summary: RuleSummary
  /// Until when it sleeps, µs since 1970; nil when it does not.
  public let snoozedUntil: Int64?
  /// When it last ran, µs since 1970; nil when it never did.
  public let lastRun: Int64?

  /// It as JSON.
  public var json: JSONValue {
    [
      "id": .string(summary.id), "name": .string(summary.name), "enabled": .bool(summary.isEnabled),
      "triggers": .array(summary.triggers.map { .string($0) }),
      "actions": .array(summary.actions.map { .string($0) }),
      "snoozedUntil": snoozedUntil.map(HomeTime.json) ?? .null,
      "lastRun": lastRun.map(HomeTime.json) ?? .null,
    ]
  }
}
