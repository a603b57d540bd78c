import Foundation
import Glibc

/// Waits for something that tells nobody of itself: another process, a file that it makes, the end of its connection.
/// What a fake of the test sees, ``Watched`` tells.
public func waitUntil(_ condition: () async throws -> Bool) async throws {
  while try await !condition() { try await Task.sleep(for: .milliseconds(10)) }
}

/// The same on a thread that may block, and for ten minutes.
public func blockUntil(_ condition: () throws -> Bool) throws {
  for _ in 0..<60_000 {
    if try condition() { return }
    usleep(10_000)
  }
  throw POSIXError(.ETIMEDOUT)
}
