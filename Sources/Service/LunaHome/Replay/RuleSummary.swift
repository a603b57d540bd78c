/// A rule in a list.
public struct RuleSummary: Sendable {
  /// Its id in the file, by which commands and the API know it.
  public let id: String
  /// How people call it.
  public let name: String
  /// Whether it runs; false where the file says that it is off.
  public let isEnabled: Bool
  /// The names of what starts it.
  public let triggers: [String]
  /// The names of what it does.
  public let actions: [String]
}

extension HomeConfiguration {
  /// The rules, in their order.
  public var ruleSummaries: [RuleSummary] {
    rules.map {
      RuleSummary(
        id: $0.id, name: $0.name, isEnabled: $0.isEnabled, triggers: $0.triggers.map(\.name),
        actions: $0.actions.map(\.name))
    }
  }
}

extension HomeCause {
  /// What has started a rule, in words.
  public var text: String { detail.isEmpty ? trigger : "\(trigger) \(detail)" }
}
