/// What a session does, once it runs.
struct ScanSummary: Hashable, Sendable {
  /// `hci0`, or where the controller is.
  var name: String
  /// How it scans, as a clause for a person.
  var clause: String
}
