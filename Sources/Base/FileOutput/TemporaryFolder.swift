import Glibc
import Synchronization

/// A directory for temporary files of this process. It is gone when it is removed, with this value, and when
/// the process says that it ends.
package final class TemporaryFolder: Sendable {
  /// Where they are made.
  package static var parent: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  private static let there = Mutex<Set<String>>([])

  /// Where it is, without a slash at the end.
  package let path: String

  /// Makes one; nil where that fails, and `errno` says why.
  ///
  /// - Parameter name: how its name begins.
  package init?(_ name: String) {
    // Made and noted in one: an end that comes between the two would leave it.
    let path = TemporaryFolder.there.withLock { there -> String? in
      var template = Array("\(TemporaryFolder.parent)/\(name).XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { return nil }
      let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      there.insert(path)
      return path
    }
    guard let path else { return nil }
    self.path = path
  }

  deinit { remove() }

  /// Removes it with all that is there; can be called more than once.
  package func remove() { TemporaryFolder.discard(path) }

  /// Whether the process has any.
  package static var isAny: Bool { there.withLock { !$0.isEmpty } }

  /// Removes all of the process, which ends.
  package static func discardAll() {
    // Other threads may write into them still.
    for _ in 0..<10 {
      for path in there.withLock({ $0 }) { discard(path) }
    }
  }

  /// One into which somebody wrote meanwhile is tried again at the end.
  private static func discard(_ path: String) {
    let isThere = there.withLock { $0.contains(path) }
    guard isThere else { return }
    remove(path)
    guard access(path, F_OK) != 0 else { return }
    _ = there.withLock { $0.remove(path) }
  }

  private static func remove(_ path: String) {
    // Everything in it was made by this process, which makes no links.
    if let names = Directory.names(in: path) {
      for name in names { remove("\(path)/\(name)") }
      rmdir(path)
    } else {
      unlink(path)
    }
  }
}
