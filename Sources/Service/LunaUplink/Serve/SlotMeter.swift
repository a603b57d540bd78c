import Synchronization
import UplinkProtocol

/// Counts the bytes of a slot at a server. Nothing of them is kept.
final class SlotMeter: Sendable {
  private struct State {
    var curve = SlotCurve()
    var total = 0
    var began: ContinuousClock.Instant?
    var counters: FlowCounters?
  }

  private let state = Mutex(State())

  /// So many have come, or were taken.
  func take(_ count: Int) {
    state.withLock { state in
      let began = state.began ?? .now
      state.began = began
      state.total += count
      state.curve.add(state.total, at: began.duration(to: .now) / .seconds(1))
    }
  }

  /// Looks at the connection, of which the kernel knows more.
  func look(at socket: Int32) {
    guard let counters = FlowCounters(of: socket) else { return }
    state.withLock { $0.counters = counters }
  }

  /// What was measured so far.
  var receipt: SlotReceipt {
    state.withLock {
      SlotReceipt(
        bytes: $0.total, seconds: $0.curve.seconds, samples: $0.curve.samples,
        leastRoundTrip: $0.counters?.leastRoundTrip,
        retransmitted: $0.counters?.retransmitted ?? 0)
    }
  }
}
