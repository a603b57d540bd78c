/// What a flow sent in a short time, and what of it was sent again.
package struct LossTick: Hashable, Sendable {
  /// How long the time is, s.
  package static let seconds = 0.005

  /// Bytes that were sent.
  package var sent = 0
  /// Those of them that had been sent before: what was lost on the way.
  package var lost = 0
  /// How many packets that were.
  package var packets = 0

  /// Nothing.
  package init() {}

  /// What was sent.
  package init(sent: Int, lost: Int, packets: Int) {
    self.sent = sent
    self.lost = lost
    self.packets = packets
  }
}
