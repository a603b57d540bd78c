/// What a server of ours reads of the connections of a replay while it sends: the original takes it from a capture
/// (UPLINK.md, 7.1, 9).
package struct ReplayLoss: Hashable, Sendable {
  /// No replay is looked at for longer, s.
  private static let longest = 60.0

  /// What was sent and lost on all connections, tick by tick.
  private(set) var ticks: [LossTick] = []
  /// The least round trip, s; nil where none is known.
  private(set) var leastRoundTrip: Double?
  /// When something was sent or acknowledged last, s from the beginning.
  private(set) var seconds = 0.0

  /// Nobody has looked yet.
  package init() {}

  /// Looks at a connection.
  ///
  /// - Parameters:
  ///   - last: what was known of it before.
  ///   - time: s from the beginning of the replay.
  package mutating func look(_ counters: FlowCounters, after last: FlowCounters, at time: Double) {
    guard (0..<ReplayLoss.longest).contains(time) else { return }
    if let found = counters.leastRoundTrip { leastRoundTrip = min(leastRoundTrip ?? found, found) }
    let packets = counters.packets - last.packets
    guard packets > 0 || counters.acknowledged > last.acknowledged else { return }
    seconds = max(seconds, time)
    let index = Int(time / LossTick.seconds)
    while ticks.count <= index { ticks.append(LossTick()) }
    ticks[index].sent += max(0, counters.sent - last.sent)
    ticks[index].lost += max(0, counters.retransmitted - last.retransmitted)
    ticks[index].packets += max(0, packets)
  }
}
