/// A check by pairs of slots as a machine (UPLINK.md, 8.2): it says which slot is next, takes what came of it, and says
/// at its looks whether that is enough.
package struct PairedCheck: Sendable {
  /// What a check is to find, where it may take more pairs for that.
  package struct Aim: Hashable, Sendable {
    /// The slowdown, above 1.
    package let slowdown: Double
    /// How likely it is to be found, between 0 and 1.
    package let power: Double

    /// An aim.
    package init(slowdown: Double, power: Double) {
      self.slowdown = slowdown
      self.power = power
    }
  }

  /// How many pairs there may be.
  package static let pairs = LookPlan.first...LookPlan.most

  private let measure: SlotMeasure
  private let seed: UInt64
  private let aim: Aim?
  private var order: PairOrder
  private var plan = LookPlan.standard
  /// No more pairs than this.
  private var most = Int.max
  private var waiting: [SlotKind] = []
  /// What came of all slots, the pair before first.
  private var records: [SlotRecord] = []

  /// A check whose coins come from a seed.
  ///
  /// - Parameter pairs: how many pairs there are at most; nil for the usual ones, or those of the aim.
  package init(_ measure: SlotMeasure, seed: UInt64, aim: Aim? = nil, pairs: Int? = nil) {
    self.measure = measure
    self.seed = seed
    self.aim = aim
    order = PairOrder(seed: seed)
    if let pairs { plan = .fixed(pairs) }
  }

  /// How many slots there will be at most, the pair before included.
  package var planned: Int { 2 * end + 2 }

  /// After how many pairs there is no other look.
  private var end: Int { plan.looks.last { $0.pairs <= most }?.pairs ?? LookPlan.first }

  /// How many slots were made.
  package var done: Int { records.count }

  /// Makes no more pairs than so many, and as many as the first look needs: where data does not suffice for more.
  package mutating func keep(to pairs: Int) { most = max(pairs, LookPlan.first) }

  /// Which slot is next.
  package mutating func next() -> SlotKind {
    if waiting.isEmpty {
      waiting = order.nextIsOriginalFirst() ? [.original, .control] : [.control, .original]
    }
    return waiting[0]
  }

  /// Takes what came of the slot that was next.
  ///
  /// - Returns: nil when more slots are needed.
  /// - Throws: `notFinite`, or `outOfRange` for a measure that is not above 0.
  package mutating func take(_ record: SlotRecord) throws(StatisticsError) -> CheckFinding? {
    records.append(record)
    if !waiting.isEmpty { waiting.removeFirst() }
    // The pair before finds the way, and is not counted.
    let slots = Array(records.dropFirst(2))
    guard waiting.isEmpty, !slots.isEmpty else { return nil }
    let pairs = stride(from: 0, to: slots.count, by: 2).map { index in
      let (first, second) = (slots[index].outcome, slots[index + 1].outcome)
      return slots[index].kind == .original
        ? SlotPair(original: first, control: second) : SlotPair(original: second, control: first)
    }
    let differences = try PairDifferences(pairs, measure)
    if let aim, pairs.count == LookPlan.first, !differences.values.isEmpty {
      plan = try LookPlan.planned(
        after: differences.values, slowdown: aim.slowdown, power: aim.power)
      // Where data does not suffice for all of them, as many are made as it does for.
      if plan.pairs > most { plan = .fixed(most) }
    }
    // Looks that are not made would have seen nothing.
    let kept = plan.kept(to: end)
    guard let look = kept.looks.first(where: { $0.pairs == pairs.count }) else { return nil }
    return try finding(differences, at: look, of: kept, slots)
  }

  private func finding(
    _ differences: PairDifferences, at look: Look, of plan: LookPlan, _ slots: [SlotRecord]
  ) throws(StatisticsError) -> CheckFinding? {
    let isLast = look.pairs >= end
    let (bytes, seconds) = records.reduce(into: (0, 0.0)) {
      $0.0 += $1.carried
      $0.1 += $1.seconds
    }
    guard !differences.values.isEmpty else {
      guard isLast else { return nil }
      return CheckFinding(
        verdict: .inconclusive(.tooFast), estimate: nil, power: nil, slots: slots, bytes: bytes,
        seconds: seconds)
    }
    let estimate = try FairnessEstimate(differences, at: look, isLast: isLast, seed: seed)
    guard let verdict = estimate.verdict else { return nil }
    let power = try DetectionPower(differences.values, plan: plan, seed: seed)
    return CheckFinding(
      verdict: verdict, estimate: estimate, power: power, slots: slots, bytes: bytes,
      seconds: seconds)
  }
}
