package import UplinkProtocol

/// How recordings are replayed with servers of Wehe's, and judged.
package struct ReplaySetup: Sendable {
  /// Whose rule judges.
  package var rule = OriginalRule.ios
  /// The limits of the rule.
  package var settings = OriginalSettings.standard
  /// Who makes tests, for servers; nil for the name that was made up once.
  package var user: String?
  /// A word that servers keep.
  package var extra = "Luna"
  /// From where on tests are counted, where that is more than there were.
  package var history: Int64 = 0
  /// Whether packets are sent no earlier than recorded.
  package var isTimed = true
  /// Whether samples are cut by the time that a replay is said to take, not by the time that passed.
  package var isNominal = false

  /// What holds where nobody says otherwise.
  package init() {}
}
