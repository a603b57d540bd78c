/// What is known of a connection over TCP, from its beginning.
package struct FlowCounters: Hashable, Sendable {
  /// No network has larger packets; those within a machine are larger, and seldom full.
  private static let largest = 8_960

  /// Bytes that the other side has acknowledged.
  package let acknowledged: Int
  /// Bytes behind them that the other side has acknowledged as well (SACK, RFC 2018), as if every packet were full.
  private let selected: Int
  /// Bytes that were sent, those that were sent again among them.
  package let sent: Int
  /// Bytes that were sent again.
  package let retransmitted: Int
  /// Packets that were sent.
  package let packets: Int
  /// The least round trip, s; nil where none is known.
  package let leastRoundTrip: Double?
  /// Packets with data that came, those that came again among them.
  private let arrivals: Int
  /// How much of data a full one of them has, bytes.
  private let arrivalSize: Int
  /// Bytes that came, each once.
  package let came: Int

  /// Counters.
  package init(
    acknowledged: Int, sent: Int, retransmitted: Int, packets: Int, leastRoundTrip: Double?,
    selected: Int = 0, received: (packets: Int, size: Int) = (0, 0), came: Int = 0
  ) {
    self.acknowledged = acknowledged
    self.selected = selected
    self.sent = sent
    self.retransmitted = retransmitted
    self.packets = packets
    self.leastRoundTrip = leastRoundTrip
    arrivals = received.packets
    self.came = came
    arrivalSize = min(received.size, FlowCounters.largest)
  }

  /// Bytes that the other side has. Where one packet is lost, those behind it have arrived all the same: without them a
  /// connection that is measured then is too slow. Not all of them need be full.
  package var delivered: Int { min(acknowledged + selected, max(acknowledged, handed)) }

  /// Bytes that were sent at least once.
  package var handed: Int { sent - retransmitted }

  /// Bytes that went both ways: small ones, of which few packets are full.
  package var exchanged: Int { sent + came }

  /// How many bytes of data came since then, those that came again among them. A packet counts as a full one.
  package func received(since earlier: FlowCounters) -> Int {
    max(0, arrivals - earlier.arrivals) * arrivalSize
  }
}
