import Testing

@testable import UplinkProtocol

/// What is made of the kernel's counters of a connection.
struct FlowCountersTests {
  private func counters(
    acknowledged: Int = 0, sent: Int = 0, retransmitted: Int = 0, selected: Int = 0,
    received: (packets: Int, size: Int) = (0, 0)
  ) -> FlowCounters {
    FlowCounters(
      acknowledged: acknowledged, sent: sent, retransmitted: retransmitted, packets: 0,
      leastRoundTrip: 0.1, selected: selected, received: received)
  }

  /// 4 Mbit/s for 1.5 s. A packet is lost after 1.2 s and has not come again at the end: nothing behind it is
  /// acknowledged in its order, and without that it would be 2.9 Mbit/s.
  @Test func aLossAtTheEndMakesNoConnectionSlower() {
    var trace = FlowTrace()
    for tick in 0...300 {
      let sent = tick * 2_500
      let acknowledged = min(sent, 600_000)
      trace.look(
        counters(acknowledged: acknowledged, sent: sent, selected: sent - acknowledged),
        at: Double(tick) * LossTick.seconds)
    }
    #expect(trace.curve.bytes == 750_000)
    guard case .measured(let rate) = trace.curve.outcome(leastRoundTrip: 0.1) else {
      Issue.record("it was not measured")
      return
    }
    #expect(abs(rate - 500_000) < 1)
  }

  /// Packets count as full ones, and need not be.
  @Test func noMoreHasArrivedThanWasSent() {
    #expect(
      counters(acknowledged: 1_000, sent: 2_500, retransmitted: 500, selected: 4_344).delivered
        == 2_000)
    // An old kernel does not tell what was sent.
    #expect(counters(acknowledged: 1_000).delivered == 1_000)
  }

  @Test func whatComesAgainCounts() {
    let before = counters(received: (packets: 4, size: 536))
    let after = counters(received: (packets: 104, size: 1_448))
    #expect(after.received(since: before) == 144_800)
    #expect(before.received(since: after) == 0)
    // Within a machine packets are as large as may be, and mostly empty.
    let local = counters(received: (packets: 104, size: 65_483))
    #expect(local.received(since: before) == 896_000)
  }

  /// Of small ones a packet counts as what is in it.
  @Test func whatWasExchangedIsCountedByTheByte() {
    let counters = FlowCounters(
      acknowledged: 200, sent: 300, retransmitted: 100, packets: 3, leastRoundTrip: nil,
      received: (packets: 3, size: 1_448), came: 2_348)
    #expect(counters.exchanged == 2_648)
  }
}
