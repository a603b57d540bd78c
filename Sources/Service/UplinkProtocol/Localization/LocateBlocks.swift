/// The blocks of a localization as a machine (UPLINK.md, 9): it says which run is next, takes what came of it, and
/// says at the end what all of them tell.
package struct LocateBlocks: Sendable {
  /// A run: flows that go at once.
  package enum Run: String, CaseIterable, Sendable {
    /// An original to the first server.
    case alone
    /// An original to each server.
    case together
    /// Two originals to the first server.
    case twice
    /// A control to each server.
    case control

    /// To which server each flow goes: 0 or 1.
    package var servers: [Int] {
      switch self {
      case .alone: [0]
      case .together, .control: [0, 1]
      case .twice: [0, 0]
      }
    }

    /// What the flows carry.
    package var kind: SlotKind { self == .control ? .control : .original }
  }

  /// How many blocks have to count, and how many are made for that at most.
  private static let blocks = (wanted: 8, most: 10)
  /// How many flows there are at most, with the run before.
  package static let flows =
    Run.allCases.reduce(0) { $0 + $1.servers.count } * blocks.most + Run.alone.servers.count

  private let sign: Double
  private let seed: UInt64
  private var generator: SplitMix64
  /// The run before finds the way, and is not counted.
  private var waiting: [Run] = [.alone]
  private var isWarm = false
  private var rates: [Run: Double] = [:]
  /// How fast the first server's flow was of those to both.
  private var first = 0.0
  private var made = 0
  private var counted: [LimitBlock] = []
  private var losses: [[LossTick]] = [[], []]
  private var roundTrip = 0.0
  private var bytes = 0
  private var seconds = 0.0

  /// Blocks whose order comes from a seed.
  ///
  /// - Parameter verdict: what a check says of both servers.
  package init(_ verdict: FairnessVerdict, seed: UInt64) {
    sign = verdict == .prioritised ? -1 : 1
    self.seed = seed
    generator = SplitMix64(seed: seed)
  }

  /// How much is done, as a share.
  package var share: Double {
    let left = Double(waiting.count) / Double(Run.allCases.count)
    return isWarm ? max(0, min(1, (Double(made) - left) / Double(LocateBlocks.blocks.wanted))) : 0
  }

  /// Which run is next; nil when there are enough.
  package mutating func next() -> Run? {
    if waiting.isEmpty {
      guard counted.count < LocateBlocks.blocks.wanted, made < LocateBlocks.blocks.most else {
        return nil
      }
      made += 1
      rates = [:]
      waiting = Run.allCases.shuffled(using: &generator)
    }
    return waiting[0]
  }

  /// Takes what came of the run that was next.
  ///
  /// - Parameter said: how many bytes it took to say what it was to be, and what came of it.
  package mutating func take(_ group: FlowGroup, said: Int = 0) {
    guard !waiting.isEmpty else { return }
    let run = waiting.removeFirst()
    bytes += group.bytes + said
    seconds += group.seconds
    guard isWarm else {
      isWarm = true
      return
    }
    rates[run] = group.rate
    if run == .together { first = group.rates?.first ?? 0 }
    if run == .together, group.ticks.count == 2 {
      for (flow, ticks) in group.ticks.enumerated() { losses[flow] += ticks }
      roundTrip = max(roundTrip, group.flows.compactMap(\.leastRoundTrip).max() ?? 0)
    }
    guard waiting.isEmpty, let alone = rates[.alone], let together = rates[.together],
      let twice = rates[.twice], let control = rates[.control]
    else { return }
    // One that stood still was not faster than a thousandth.
    counted.append(
      LimitBlock(
        alone: alone, together: together, first: max(first, together / 1_000), twice: twice,
        control: control))
  }

  /// What they say.
  package func finding() throws(StatisticsError) -> LocateFinding {
    let isEnough = counted.count >= LocateBlocks.blocks.wanted
    let limit = isEnough ? try LimitEstimate(counted, sign: sign, seed: seed) : nil
    let trend = LossTrend(losses[0], losses[1], roundTrip: roundTrip, seed: seed)
    return LocateFinding(
      limit: limit, trend: trend, blocks: counted.count, bytes: bytes, seconds: seconds)
  }
}
