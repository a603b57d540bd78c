import Glibc

/// A link that is made up, for who has none: what it does to each kind of slot is known.
package struct SimulatedLink: Sendable {
  /// What the link does.
  package enum Behaviour: String, CaseIterable, Sendable {
    /// It treats all alike.
    case fair
    /// It halves the speed of the original.
    case throttled
    /// It doubles it.
    case prioritised
    /// It lets no original through.
    case blocked
    /// It varies so much that nothing can be said.
    case inconclusive
  }

  /// The speed of the control, bytes each second.
  private static let rate = 2.5e6
  /// How much slots vary, as a share.
  private static let variation = 0.05
  /// How long a slot takes, s.
  private static let seconds = 1.5

  private let behaviour: Behaviour
  private var generator: SplitMix64
  private var originals = 0

  /// A link whose chance comes from a seed.
  package init(_ behaviour: Behaviour, seed: UInt64) {
    self.behaviour = behaviour
    generator = SplitMix64(seed: seed)
  }

  /// What comes of a slot.
  package mutating func slot(_ kind: SlotKind, _ measure: SlotMeasure) -> SlotRecord {
    let noise = Double.random(in: -1...1, using: &generator) * SimulatedLink.variation
    let factor = kind == .original ? originalFactor() : 1
    guard factor > 0 else {
      return SlotRecord(kind, .failed, bytes: 0, seconds: 5, fastest: nil)
    }
    let rate = SimulatedLink.rate * factor * exp(noise)
    return SlotRecord(
      kind, .measured(measure == .rate ? rate : 1e5 / rate),
      bytes: Int(rate * SimulatedLink.seconds), seconds: SimulatedLink.seconds, fastest: rate)
  }

  private mutating func originalFactor() -> Double {
    originals += 1
    switch behaviour {
    case .fair: return 1
    case .throttled: return 0.5
    case .prioritised: return 2
    case .blocked: return 0
    case .inconclusive: return originals % 2 == 0 ? 3 : 1 / 3
    }
  }
}
