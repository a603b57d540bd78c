import Bluetooth
import Diagnosis
import JSONWebToken
import LunaAccount
import LunaClient
import LunaJSON

/// The keys of one issuer, fetched when they are needed; who comes meanwhile waits for the same answer.
actor IssuerKeys {
  private let issuer: String
  private let client: IssuerClient
  private let log: BackendLog
  private let clock = ContinuousClock()
  private let start = ContinuousClock.now
  private var cache = KeySetCache()
  private var fetching: Task<Void, Never>?

  init(_ issuer: String, _ client: IssuerClient, _ log: BackendLog) {
    self.issuer = issuer
    self.client = client
    self.log = log
  }

  /// Whether the issuer has signed a token.
  func signed(_ token: WebToken) async throws(ForeignTokenError) -> Bool {
    var decision = cache.decision(for: token, at: now)
    switch decision {
    case .use: break
    case .fetch, .unknown, .unavailable:
      // Whoever fetches them just now may find it.
      if case .fetch = decision { await fetch() } else { await fetching?.value }
      decision = cache.decisionAfterFetch(for: token, at: now)
    }
    switch decision {
    case .use(let keys):
      if keys.signed(token) { return true }
      // Some issuers make a new key under the name of the old one, or give them no names.
      guard fetching != nil || cache.mayAskAgain(at: now) else { return false }
      await fetch()
      guard case .use(let newer) = cache.decisionAfterFetch(for: token, at: now) else {
        return false
      }
      return newer.signed(token)
    case .unknown: return false
    case .fetch, .unavailable: throw .unavailable("the keys of its issuer cannot be had")
    }
  }

  private var now: Int64 { (clock.now - start).wholeMicroseconds }

  private func fetch() async {
    if let fetching { return await fetching.value }
    cache.noteQuestion(at: now)
    let task = Task {
      var keys: WebKeySet?
      do {
        keys = try WebKeySet(try await client.keys(of: issuer))
      } catch {
        log.line(
          .error, "the keys of an issuer cannot be had",
          ["issuer": .string(issuer), "reason": .string("\(error)")])
      }
      cache.note(keys, at: now)
      fetching = nil
    }
    fetching = task
    await task.value
  }
}
