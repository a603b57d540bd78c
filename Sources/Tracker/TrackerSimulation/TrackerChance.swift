import VirtualRadio

/// What a tracker of a virtual room draws from.
enum TrackerChance: RandomNumberGenerator, Sendable {
  /// Repeatable, for trackers that live as long as the room; their keys are no secret.
  case seeded(SplitMix64)
  /// The system's, for trackers whose keys last.
  case system

  mutating func next() -> UInt64 {
    switch self {
    case .seeded(var generator):
      let value = generator.next()
      self = .seeded(generator)
      return value
    case .system:
      var generator = SystemRandomNumberGenerator()
      return generator.next()
    }
  }
}
