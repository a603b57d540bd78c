import LunaCrypto
import LunaJSON
import Synchronization

/// Checks passwords and codes: so often for a name, so many at once.
package final class PasswordCheck: Sendable {
  /// Where passwords are worked on.
  let work = PasswordWork()
  /// Where those wait who tried wrong ones.
  package let room = WaitingRoom()
  private let throttle = Mutex(SignInThrottle())
  private let failures: (any SignInFailureStore)?

  /// One that knows of no wrong tries yet.
  ///
  /// - Parameter failures: where other servers see them; nil for one that stands alone.
  package init(failures: (any SignInFailureStore)? = nil) { self.failures = failures }

  /// Tries something for a name, after the wait that wrong tries before it have earned.
  ///
  /// - Parameter body: whether it is right; nil where that is still to be seen.
  /// - Throws: a problem when too many wait, or what `body` throws.
  package func attempt<Output: Sendable>(
    _ name: String, _ body: () async throws -> (Output, isGood: Bool?)
  ) async throws -> Output {
    let known = try await failures?.failures(of: name)
    let answer = throttle.withLock { throttle -> SignInThrottle.Answer in
      if failures != nil { throttle.learn(known, of: name, at: .now) }
      return throttle.begin(name, at: .now)
    }
    let wait: Duration
    switch answer {
    case .wait(let duration): wait = duration
    case .refuse(let duration):
      throw ProblemDocument(
        429, "rateLimited", "Too many tries.", detail: "wrong ones make further ones wait",
        retryAfter: max(1, Int(duration.components.seconds)))
    }
    var isGood: Bool?
    defer { throttle.withLock { [isGood] in $0.ended(name, isGood: isGood, at: .now) } }
    if wait > .zero { try await failures?.wait(for: name, wait) }
    guard await room.wait(wait) else {
      throw ProblemDocument(503, "busy", "The server stops.", retryAfter: 5)
    }
    let (output, result) = try await body()
    isGood = result
    if result == false { try await failures?.add(to: name) }
    if result == true, known != nil { try await failures?.forget(name) }
    return output
  }

  /// Whether it is the password. Where there is none to compare it with, it takes as long.
  package func matches(_ password: String, _ hash: PasswordHash?) async throws -> Bool {
    try await work.run { () throws(CryptoError) in
      guard let hash else {
        try PasswordHash.pretend(password)
        return false
      }
      return try hash.matches(password)
    }
  }

  /// What is kept of a new password.
  package func hash(_ password: String) async throws -> PasswordHash {
    try await work.run { () throws(CryptoError) in try PasswordHash(password) }
  }
}
