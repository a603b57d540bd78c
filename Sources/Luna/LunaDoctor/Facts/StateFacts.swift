import LunaCore

/// What is known of the state directory.
struct StateFacts: Hashable, Sendable {
  var path: String
  /// Its owner and mode; nil where it is not there yet.
  var place: Place?
  /// Why it could not be looked at, although it may be there.
  var problem: String?
  /// This process's user.
  var user: UInt32
  /// What is wrong with the databases in it.
  var errors: [DeviceStoreError] = []
  /// The files that were found in the place of one of ours, and put aside.
  var replaced: [String] = []
  /// Files with secrets that others may read.
  var openFiles: [String] = []

  struct Place: Hashable, Sendable {
    var owner: UInt32
    /// The owner's name; nil for one without.
    var ownerName: String?
    var mode: UInt32
    var isDirectory = true
    /// Whether this user may look into it, and write there.
    var isUsable = true
    /// Whether nobody may write there.
    var isReadOnly = false
  }
}
