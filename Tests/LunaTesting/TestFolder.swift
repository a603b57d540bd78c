import Foundation
import Synchronization

/// A folder of a test's own, which is gone with it, and at the latest with the process of the tests: a server that could
/// not stop may hold it, and a store may make it anew. It lies where the run wants such things (`TMPDIR`).
public final class TestFolder: Sendable {
  private static let made = Mutex<[String]>([])
  private static let sweeping: Void = {
    atexit {
      for path in TestFolder.made.withLock({ $0 }) { TestFolder.remove(path) }
    }
  }()

  /// Its path, without a slash at the end.
  public let path: String

  /// Makes an empty folder under the folder for temporary files.
  public init() {
    let path = NSTemporaryDirectory() + "luna-test-\(UUID().uuidString)"
    self.path = path
    TestFolder.sweeping
    TestFolder.made.withLock { $0.append(path) }
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
  }

  deinit { TestFolder.remove(path) }

  /// Who still writes into it may have it not empty at the moment at which it is to go.
  private static func remove(_ path: String) {
    for _ in 0..<100 {
      try? FileManager.default.removeItem(atPath: path)
      guard access(path, F_OK) == 0 else { return }
    }
  }
}
