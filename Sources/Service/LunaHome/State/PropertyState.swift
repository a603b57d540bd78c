/// A value, and the event that it may still owe.
struct PropertyState: Hashable, Sendable, Codable {
  var value: PropertyValue
  /// When it was last said, by boot time.
  var said: Int64
  /// The value of the last event, and when that was.
  var told: PropertyValue
  var toldAt: Int64
  /// A change that waits because the last one was less than a second ago.
  var owes = false
  /// The chain of the rule that has set it, and when.
  var chain: [String] = []
  var setAt: Int64?

  private static let second: Int64 = 1_000_000
  /// What a source says so soon after a value was set belongs to that.
  private static let echo: Int64 = 5_000_000

  /// When a change that is owed may be told.
  var owedAt: Int64 { toldAt + PropertyState.second }

  /// Takes a value.
  ///
  /// - Parameters:
  ///   - chain: the rules that led to it; nil for what comes from outside.
  ///   - now: boot time.
  ///   - least: how much it has to differ by.
  /// - Returns: whether an event tells of it now; one that is owed is told later.
  mutating func take(
    _ value: PropertyValue, chain: [String]?, isSet: Bool, at now: Int64, minChange least: Double
  ) -> Bool {
    self.value = value
    said = now
    if isSet {
      setAt = now
      self.chain = chain ?? []
    } else if let set = setAt, chain == nil, now - set <= PropertyState.echo {
      // It keeps the chain of the rule.
    } else {
      setAt = nil
      self.chain = chain ?? []
    }
    let differs = value.differs(from: told, by: least)
    owes = differs && now - toldAt < PropertyState.second && !isSet
    guard differs, !owes else { return false }
    told = value
    toldAt = now
    return true
  }
}
