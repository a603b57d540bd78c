/// Where a difference is made, as far as two paths that part tell (UPLINK.md, 9).
package enum Location: String, CaseIterable, Sendable {
  /// In what both paths share.
  case common
  /// On each of the paths by itself.
  case separate
  /// To each connection by itself, which says nothing of where.
  case perConnection
  /// What was measured speaks for no place.
  case noEvidence
  /// Nothing was measured that could.
  case inconclusive
}
