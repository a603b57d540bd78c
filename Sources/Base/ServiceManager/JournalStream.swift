import Glibc

/// A descriptor that may lead into the journal, where a line begins with how much it matters
/// (sd-daemon(3)).
public struct JournalStream: Sendable {
  /// Standard output.
  public static let output = JournalStream(descriptor: STDOUT_FILENO)
  /// Standard error.
  public static let error = JournalStream(descriptor: STDERR_FILENO)

  /// Whether it leads there.
  public let isJournal: Bool

  /// A descriptor of this process.
  public init(descriptor: Int32) {
    let name = getenv("JOURNAL_STREAM").map { String(cString: $0) }
    self.init(descriptor: descriptor, name: name)
  }

  /// - Parameter name: what the manager of services calls the stream to the journal: device and inode.
  public init(descriptor: Int32, name: String?) {
    var status = stat()
    isJournal =
      name != nil && fstat(descriptor, &status) == 0 && name == "\(status.st_dev):\(status.st_ino)"
  }

  /// What stands in front of a line: `<3>` in the journal, elsewhere nothing.
  public func prefix(_ priority: JournalPriority) -> String {
    isJournal ? "<\(priority.rawValue)>" : ""
  }
}
