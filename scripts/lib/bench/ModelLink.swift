import Glibc
import UplinkProtocol

/// A link as UPLINK.md 8.2 models them: how fast its slots are hangs together in time, drifts, and some fail.
struct ModelLink {
  /// Slots of a whole check.
  static let slots = 34

  private let spread: Double
  private let memory: Double
  private let drift: Double
  private let outages: Double
  private var level = 0.0
  private var time = 0.0

  /// - Parameters:
  ///   - spread: σ of the logarithm of the speed.
  ///   - memory: how much of it is left in the next slot, 0 to 1.
  ///   - drift: of the logarithm, over a whole check.
  ///   - outages: the share of slots that fail.
  init(spread: Double, memory: Double, drift: Double, outages: Double) {
    self.spread = spread
    self.memory = memory
    self.drift = drift
    self.outages = outages
  }

  /// How fast the next slot would be, bytes each second.
  mutating func speed(_ generator: inout SplitMix64) -> Double {
    level = memory * level + (1 - memory * memory).squareRoot() * spread * Self.normal(&generator)
    time += 1
    return 1e6 * exp(level + drift * time / Double(ModelLink.slots))
  }

  /// What comes of the next slot, slowed down by a factor.
  mutating func slot(_ factor: Double, _ generator: inout SplitMix64) -> SlotOutcome {
    let speed = speed(&generator)
    return Double.random(in: 0..<1, using: &generator) < outages
      ? .failed : .measured(speed / factor)
  }

  /// A value of the standard normal distribution.
  static func normal(_ generator: inout SplitMix64) -> Double {
    let (one, two) = (
      Double.random(in: 0x1p-53..<1, using: &generator), Double.random(in: 0..<1, using: &generator)
    )
    return (-2 * log(one)).squareRoot() * cos(2 * .pi * two)
  }
}
