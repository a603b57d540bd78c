import Synchronization

/// How many requests each endpoint works on.
final class EndpointLoad: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  /// Begins one more.
  ///
  /// - Returns: false where there are as many as the endpoint takes.
  func begin(_ name: String, limit: Int) -> Bool {
    counts.withLock { counts in
      guard counts[name, default: 0] < limit else { return false }
      counts[name, default: 0] += 1
      return true
    }
  }

  func end(_ name: String) {
    counts.withLock { counts in
      let count = counts[name, default: 0] - 1
      counts[name] = count > 0 ? count : nil
    }
  }
}
