import Foundation

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
  let path = NSTemporaryDirectory() + "luna-notify-\(UUID().uuidString)"

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
