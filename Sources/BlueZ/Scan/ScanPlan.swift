/// What a radio path is going to do, once it is known what there is.
struct ScanPlan: Sendable {
  /// The name of the source: `observe:hci0`.
  var name: String
  /// Why this path was taken, when there was a choice.
  var reason: String?
  /// One for each adapter.
  var sessions: [ScanDriver.MakeSession]
}
