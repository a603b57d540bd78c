/// Flows that began at once, and ended at once.
package struct FlowGroup: Sendable {
  /// What of them is not counted: the share of their time at its beginning, and how many round trips at least.
  private static let cut = (share: 0.25, roundTrips: 3.0)
  /// What counts has to last so long, s.
  private static let least = 0.01

  /// The flows.
  package let flows: [FlowTrace]

  /// Flows; none where they could not be made.
  package init(_ flows: [FlowTrace]) { self.flows = flows }

  /// How many bytes were sent, again too.
  package var bytes: Int {
    flows.reduce(0) { $0 + $1.ticks.reduce(0) { $0 + $1.sent } }
  }
  /// How long they took, s.
  package var seconds: Double { flows.map(\.seconds).max() ?? 0 }

  /// How fast they were together, bytes each second; nil where one of them failed, or they were too short.
  package var rate: Double? {
    guard let rate = rates?.reduce(0, +), rate > 0 else { return nil }
    return rate
  }

  /// How fast each of them was, bytes each second; nil where one of them failed, or they were too short.
  package var rates: [Double]? {
    guard let counted, flows.allSatisfy({ $0.curve.bytes > 0 }) else { return nil }
    return flows.map { $0.curve.rate(from: counted.lowerBound, to: counted.upperBound) }
  }

  /// What each of them sent and lost in the time that counts, of one length.
  package var ticks: [[LossTick]] {
    guard let counted else { return [] }
    let start = Int(counted.lowerBound / LossTick.seconds)
    let end = min(
      Int(counted.upperBound / LossTick.seconds), flows.map(\.ticks.count).min() ?? 0)
    guard start < end else { return [] }
    return flows.map { Array($0.ticks[start..<end]) }
  }

  private var counted: ClosedRange<Double>? {
    guard let end = flows.map(\.seconds).min() else { return nil }
    let roundTrip = flows.compactMap(\.leastRoundTrip).max() ?? 0
    let start = max(FlowGroup.cut.share * end, FlowGroup.cut.roundTrips * roundTrip)
    return end - start >= FlowGroup.least ? start...end : nil
  }
}
