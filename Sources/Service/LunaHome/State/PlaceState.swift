/// On which side of a place's border a tracker is.
struct PlaceState: Hashable, Sendable, Codable {
  /// The place as it was: another one begins anew.
  var shape: String
  var isInside: Bool
  /// A change that waits to be confirmed: since when, and by which report.
  var since: Int64?
  var report: String?
  var isLate = false
  /// Since when it is inside by an event, by boot time.
  var entered: Int64?
  /// Rules whose trigger `dwell` has run since.
  var dwelt: [String] = []
}
