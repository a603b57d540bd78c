/// Makes those wait who tried wrong passwords or codes for a name: five tries are free, each further one
/// waits 2, 4, … 64 s, the right one too. A name counts whether there is such an account or not, so that
/// waiting tells nobody.
struct SignInThrottle: Sendable {
  private struct Entry {
    var failures = 0
    /// When the last failure was.
    var failedAt: ContinuousClock.Instant
    /// Until when those wait that are before the next one.
    var turn: ContinuousClock.Instant
    var waiting = 0
  }

  /// What happens to a try.
  enum Answer: Hashable, Sendable {
    /// It goes on after so long; ``ended(_:isGood:at:)`` has to follow.
    case wait(Duration)
    /// Too many wait already.
    case refuse(Duration)
  }

  private static let free = 5
  private static let longest = 6
  /// How many may wait for one name.
  private static let queue = 8
  private static let capacity = 65_536

  private var entries: [String: Entry] = [:]

  /// Begins a try.
  mutating func begin(_ name: String, at now: ContinuousClock.Instant) -> Answer {
    var entry = entries[name] ?? Entry(failedAt: now, turn: now)
    if entry.waiting == 0, entry.failedAt.duration(to: now) > SignInFailures.lifetime {
      entry.failures = 0
    }
    // Those before it that have not ended count as if they were wrong: many at once gain nothing.
    let steps = entry.failures + entry.waiting - SignInThrottle.free + 1
    guard steps > 0 else {
      entry.waiting += 1
      keep(name, entry, now)
      return .wait(.zero)
    }
    let begin = max(now, entry.turn)
    guard entry.waiting < SignInThrottle.queue else { return .refuse(now.duration(to: begin)) }
    entry.turn = begin + .seconds(1 << min(steps, SignInThrottle.longest))
    entry.waiting += 1
    keep(name, entry, now)
    return .wait(now.duration(to: entry.turn))
  }

  /// Takes over what all servers together know of a name: here only those that wait are known better.
  mutating func learn(
    _ known: SignInFailures?, of name: String, at now: ContinuousClock.Instant
  ) {
    guard let known else {
      guard var entry = entries[name] else { return }
      entry.failures = 0
      entries[name] = entry.waiting == 0 ? nil : entry
      return
    }
    var entry = entries[name] ?? Entry(failedAt: now, turn: now)
    entry.failures = known.count
    entry.failedAt = now.advanced(by: .zero - known.age)
    entry.turn = max(entry.turn, now.advanced(by: known.turn))
    keep(name, entry, now)
  }

  /// Ends a try.
  ///
  /// - Parameter isGood: whether it was right; nil where nothing was found out.
  mutating func ended(_ name: String, isGood: Bool?, at now: ContinuousClock.Instant) {
    guard var entry = entries[name] else { return }
    entry.waiting = max(0, entry.waiting - 1)
    switch isGood {
    case true?: entry.failures = 0
    case false?:
      entry.failures += 1
      entry.failedAt = now
    case nil: break
    }
    entries[name] = entry.failures == 0 && entry.waiting == 0 ? nil : entry
  }

  private mutating func keep(_ name: String, _ entry: Entry, _ now: ContinuousClock.Instant) {
    if entries[name] == nil, entries.count >= SignInThrottle.capacity { forget(now) }
    entries[name] = entry
  }

  /// Makes room: first those that are over, then those with the fewest failures.
  private mutating func forget(_ now: ContinuousClock.Instant) {
    entries = entries.filter {
      $0.value.waiting > 0 || $0.value.failedAt.duration(to: now) <= SignInFailures.lifetime
    }
    guard entries.count >= SignInThrottle.capacity else { return }
    let few = entries.filter { $0.value.waiting == 0 }.sorted {
      ($0.value.failures, $0.value.failedAt) < ($1.value.failures, $1.value.failedAt)
    }
    for (name, _) in few.prefix(SignInThrottle.capacity / 4) { entries[name] = nil }
  }
}
