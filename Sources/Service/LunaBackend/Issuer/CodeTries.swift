/// How many wrong codes somebody has given lately (FLEET.md, 2). A pure machine.
struct CodeTries: Hashable, Sendable {
  /// Wrong codes in a window.
  static let limit: Int64 = 5
  /// How long a window is, µs.
  static let window: Int64 = 600 * 1_000_000

  /// Wrong codes since the window began.
  private(set) var count: Int64
  /// When it began, µs.
  private(set) var since: Int64

  init(count: Int64 = 0, since: Int64 = 0) {
    // They may come from a damaged row.
    self.count = max(0, min(count, CodeTries.limit))
    self.since = max(0, since)
  }

  /// After how many seconds another code may be given; nil for now.
  func pause(at now: Int64) -> Int? {
    guard isOpen(at: now), count >= CodeTries.limit else { return nil }
    return Int((since + CodeTries.window - now + 999_999) / 1_000_000)
  }

  /// Notes a wrong code.
  mutating func note(at now: Int64) {
    if isOpen(at: now) { count += 1 } else { (count, since) = (1, now) }
  }

  /// One that was noted was right.
  mutating func takeBack() { count = max(0, count - 1) }

  private func isOpen(at now: Int64) -> Bool { now >= since && now - since < CodeTries.window }
}
