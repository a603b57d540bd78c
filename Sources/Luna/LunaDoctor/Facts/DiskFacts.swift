/// What is known of the file system of the state directory.
struct DiskFacts: Hashable, Sendable {
  /// The state directory, or what of the way to it is there.
  var path: String
  /// Whether that is the state directory itself.
  var isThere = true
  /// What this user may still write, bytes.
  var free: UInt64 = 1 << 40
  /// How many files may still be made; nil where the file system does not count them.
  var freeFiles: UInt64?
  var isReadOnly = false
  /// Whether this user may write there.
  var isWritable = true
  /// Why nothing of this could be found out.
  var problem: String?
}
