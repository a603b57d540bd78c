/// What issuers said of tokens that only they can read, for a moment (FLEET.md, 2). A pure machine.
struct IntrospectionCache: Sendable {
  /// How long a good answer is kept, s.
  static let goodSeconds: Int64 = 60
  /// How long a refusal is kept, s.
  static let badSeconds: Int64 = 10
  private static let capacity = 10_000

  private struct Entry: Sendable {
    let answer: Result<ForeignSubject, ForeignTokenError>
    let until: Int64
  }

  private var entries: [[UInt8]: Entry] = [:]

  init() {}

  /// How many are kept.
  var count: Int { entries.count }

  /// What is known of a token.
  ///
  /// - Parameters:
  ///   - digest: of the token.
  ///   - now: a clock that nobody sets, s.
  func answer(for digest: [UInt8], at now: Int64) -> Result<ForeignSubject, ForeignTokenError>? {
    entries[digest].flatMap { now < $0.until ? $0.answer : nil }
  }

  /// Notes an answer; that nobody could be asked is none.
  ///
  /// - Parameter seconds: how long the token holds, if that is known.
  mutating func note(
    _ answer: Result<ForeignSubject, ForeignTokenError>, for digest: [UInt8], lasts seconds: Int64?,
    at now: Int64
  ) {
    let kept: Int64
    switch answer {
    case .success: kept = min(IntrospectionCache.goodSeconds, max(0, seconds ?? .max))
    case .failure(.invalid): kept = IntrospectionCache.badSeconds
    case .failure(.unavailable): return
    }
    if entries.count >= IntrospectionCache.capacity {
      entries = entries.filter { now < $0.value.until }
      if entries.count >= IntrospectionCache.capacity { entries = [:] }
    }
    entries[digest] = Entry(answer: answer, until: now + kept)
  }
}
