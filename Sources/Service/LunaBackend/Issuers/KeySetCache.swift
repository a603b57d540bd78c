import JSONWebToken

/// When the keys of an issuer are fetched, and which of them hold (FLEET.md, 2). A pure machine.
struct KeySetCache: Sendable {
  /// What is to be done for a token.
  enum Decision: Sendable {
    /// These keys are the ones.
    case use(WebKeySet)
    /// The keys are to be fetched; then asked again.
    case fetch
    /// There is no such key.
    case unknown
    /// There are no keys, or not this one and no answer either, and it is too early to ask again.
    case unavailable
  }

  /// How long keys hold.
  static let longest: Int64 = 24 * 3600 * 1_000_000
  /// After which time they are fetched again, as long as the old ones hold anyway.
  static let usual: Int64 = 12 * 3600 * 1_000_000
  /// How long nobody asks again after a key that was not there.
  static let pause: Int64 = 60 * 1_000_000
  /// How long nobody asks again when there was no answer, and there are no keys, or not the one.
  static let shortPause: Int64 = 5 * 1_000_000

  private var keys: WebKeySet?
  private var fetchedAt: Int64 = 0
  private var askedAt: Int64?
  /// Whether there was an answer to the last question.
  private var isAnswered = true

  init() {}

  /// What to do for a token.
  ///
  /// - Parameter now: a clock that nobody sets, µs.
  func decision(for token: WebToken, at now: Int64) -> Decision {
    let age = now - fetchedAt
    guard let keys, age <= KeySetCache.longest else {
      return mayAsk(after: KeySetCache.shortPause, at: now) ? .fetch : .unavailable
    }
    guard keys.covers(token) else {
      let pause = isAnswered ? KeySetCache.pause : KeySetCache.shortPause
      return mayAsk(after: pause, at: now) ? .fetch : withoutKey
    }
    let mayAsk = mayAsk(after: KeySetCache.pause, at: now)
    return age > KeySetCache.usual && mayAsk ? .fetch : .use(keys)
  }

  /// The issuer may have made a key since it last told them.
  private var withoutKey: Decision { isAnswered ? .unknown : .unavailable }

  /// What to do after keys were fetched, whether that worked or not.
  func decisionAfterFetch(for token: WebToken, at now: Int64) -> Decision {
    guard let keys, now - fetchedAt <= KeySetCache.longest else { return .unavailable }
    return keys.covers(token) ? .use(keys) : withoutKey
  }

  /// Whether the keys may be fetched again for a token that the key of its name has not signed.
  func mayAskAgain(at now: Int64) -> Bool { mayAsk(after: KeySetCache.pause, at: now) }

  /// Notes that the keys are being fetched.
  mutating func noteQuestion(at now: Int64) { askedAt = now }

  /// Notes the answer; nil when there was none that could be read.
  mutating func note(_ answer: WebKeySet?, at now: Int64) {
    isAnswered = answer != nil
    guard let answer else { return }
    keys = answer
    fetchedAt = now
  }

  private func mayAsk(after pause: Int64, at now: Int64) -> Bool {
    askedAt.map { now - $0 >= pause } ?? true
  }
}
