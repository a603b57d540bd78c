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

  /// Whether it is young enough to be relied on, at a boot time.
  func isFresh(at now: Int64, _ property: ManagedProperty) -> Bool {
    property.maxAge.map { now - said <= $0.microseconds } ?? true
  }

  /// What a value has changed.
  struct News {
    /// Since when the one before could not be relied on, by boot time; nil where it could.
    let staleSince: Int64?
    /// Whether an event tells of it now.
    let tells: Bool
    /// When an event tells of it; nil where none is owed.
    let owedAt: Int64?
  }

  /// Takes a value.
  ///
  /// - Parameters:
  ///   - chain: the rules that led to it; nil for what comes from outside.
  ///   - now: boot time.
  ///   - property: says by how much it has to differ, and how old it may get.
  /// - Returns: what has changed.
  mutating func take(
    _ value: PropertyValue, chain: [String]?, isSet: Bool, at now: Int64,
    of property: ManagedProperty
  ) -> News {
    let staleSince = property.maxAge.flatMap {
      now - said > $0.microseconds ? said + $0.microseconds : nil
    }
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
    let differs = value.differs(from: told, by: property.minChange)
    owes = differs && now - toldAt < PropertyState.second && !isSet
    let tells = differs && !owes
    if tells {
      told = value
      toldAt = now
    }
    return News(staleSince: staleSince, tells: tells, owedAt: owes ? owedAt : nil)
  }
}
