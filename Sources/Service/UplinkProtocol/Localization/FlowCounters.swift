/// What is known of a connection over TCP that sends, from its beginning.
package struct FlowCounters: Hashable, Sendable {
  /// Bytes that the other side has acknowledged.
  package let acknowledged: Int
  /// Bytes that were sent, those that were sent again among them.
  package let sent: Int
  /// Bytes that were sent again.
  package let retransmitted: Int
  /// Packets that were sent.
  package let packets: Int
  /// The least round trip, s; nil where none is known.
  package let leastRoundTrip: Double?

  /// Counters.
  package init(
    acknowledged: Int, sent: Int, retransmitted: Int, packets: Int, leastRoundTrip: Double?
  ) {
    self.acknowledged = acknowledged
    self.sent = sent
    self.retransmitted = retransmitted
    self.packets = packets
    self.leastRoundTrip = leastRoundTrip
  }
}
