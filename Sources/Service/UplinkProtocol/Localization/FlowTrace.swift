/// A flow of a slot over time: how fast it was, and what it lost.
package struct FlowTrace: Sendable {
  /// No flow is looked at for longer, s.
  private static let longest = 60.0

  /// What was acknowledged, in its order or not, and when.
  package private(set) var curve = SlotCurve()
  /// What was sent and lost, tick by tick.
  package private(set) var ticks: [LossTick] = []
  /// The least round trip, s; nil where none is known.
  package private(set) var leastRoundTrip: Double?
  /// When it was looked at for the last time, s from its beginning.
  package private(set) var seconds = 0.0
  private var first: FlowCounters?
  private var last: FlowCounters?

  /// A flow that nobody has looked at yet.
  package init() {}

  /// Looks at it: first before the data.
  ///
  /// - Parameter time: s from the beginning.
  package mutating func look(_ counters: FlowCounters, at time: Double) {
    guard let first, let last, time > 0 else {
      (self.first, self.last) = (counters, counters)
      return
    }
    guard time >= seconds, time < FlowTrace.longest else { return }
    seconds = time
    leastRoundTrip = counters.leastRoundTrip
    curve.add(counters.delivered - first.delivered, at: time)
    let index = Int(time / LossTick.seconds)
    while ticks.count <= index { ticks.append(LossTick()) }
    ticks[index].sent += max(0, counters.sent - last.sent)
    ticks[index].lost += max(0, counters.retransmitted - last.retransmitted)
    ticks[index].packets += max(0, counters.packets - last.packets)
    self.last = counters
  }
}
