/// How much data checks may use, bytes, both ways together.
package struct UplinkBudget: Hashable, Sendable {
  /// A run.
  package var run: Int64 = 100_000_000
  /// A run on a metered link.
  package var meteredRun: Int64 = 20_000_000
  /// All runs of a month (UTC).
  package var month: Int64 = 1_000_000_000
  /// Those on metered links.
  package var meteredMonth: Int64 = 60_000_000

  /// What holds where nobody says otherwise.
  package init() {}
}
