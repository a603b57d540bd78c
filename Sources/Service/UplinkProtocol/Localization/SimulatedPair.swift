import Glibc

/// Two servers that are made up, for who has none: what limits them is known.
package struct SimulatedPair: Sendable {
  /// What is simulated.
  package enum Behaviour: String, CaseIterable, Sendable {
    /// Both are behind one limit.
    case common
    /// Each is behind a limit of its own.
    case separate
    /// Nothing limits either of them.
    case noEvidence
  }

  /// The speed of an original alone, bytes each second.
  private static let rate = 1e6
  /// How much faster controls are.
  private static let control = 4.0
  /// How much runs vary, as a share.
  private static let variation = 0.03
  private static let runSeconds = 0.5

  private let behaviour: Behaviour
  private var generator: SplitMix64

  /// Servers whose chance comes from a seed.
  package init(_ behaviour: Behaviour, seed: UInt64) {
    self.behaviour = behaviour
    generator = SplitMix64(seed: seed)
  }

  /// What a check with one of them says.
  package var verdict: FairnessVerdict { behaviour == .noEvidence ? .fair : .throttled }

  /// What comes of a run.
  package mutating func group(_ run: LocateBlocks.Run) -> FlowGroup {
    let noise = Double.random(in: -1...1, using: &generator) * SimulatedPair.variation
    let all: Double =
      switch run {
      case .control: SimulatedPair.control
      case .together: behaviour == .separate ? 2 : 1
      case .alone, .twice: 1
      }
    let count = run.servers.count
    let each = SimulatedPair.rate * all * exp(noise) / Double(count)
    return FlowGroup((0..<count).map { _ in SimulatedPair.flow(each) })
  }

  /// A flow of a speed, bytes each second.
  private static func flow(_ rate: Double) -> FlowTrace {
    var flow = FlowTrace()
    for tick in 0...Int(runSeconds / LossTick.seconds) {
      let time = Double(tick) * LossTick.seconds
      let bytes = Int(rate * time)
      flow.look(
        FlowCounters(
          acknowledged: bytes, sent: bytes, retransmitted: 0, packets: bytes / 1_400,
          leastRoundTrip: 0.01), at: time)
    }
    return flow
  }
}
