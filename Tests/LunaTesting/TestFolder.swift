import Foundation

/// A folder of a test's own, which is gone with it. It lies where the run wants such things (`TMPDIR`).
public final class TestFolder: Sendable {
  /// Its path, without a slash at the end.
  public let path: String

  /// Makes an empty folder under the folder for temporary files.
  public init() {
    path = NSTemporaryDirectory() + "luna-test-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
