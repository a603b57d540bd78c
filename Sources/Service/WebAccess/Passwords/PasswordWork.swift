import EventLoop
import LunaCrypto
import LunaJSON
import Synchronization

/// Works on passwords one at a time: each takes 32 MiB and a tenth of a second of a processor.
package final class PasswordWork: Sendable {
  /// How many may wait besides the one that is worked on.
  static let limit = 8

  private let thread = Blocking(name: "luna.passwords")
  private let waiting = Atomic(0)

  /// Does something with a password.
  ///
  /// - Throws: a problem when too many wait already, or what `body` throws.
  func run<Output: Sendable>(
    _ body: @escaping @Sendable () throws(CryptoError) -> Output
  ) async throws -> Output {
    let before = waiting.wrappingAdd(1, ordering: .relaxed).oldValue
    defer { waiting.wrappingSubtract(1, ordering: .relaxed) }
    guard before <= PasswordWork.limit else {
      throw ProblemDocument(
        503, "overloaded", "The server is busy.", detail: "too many passwords wait to be checked",
        retryAfter: 1)
    }
    return try await thread.run(body)
  }
}
