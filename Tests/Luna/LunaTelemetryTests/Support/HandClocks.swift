import Bluetooth
import LunaStore
import Synchronization

/// Clocks that are set by hand.
final class HandClocks: Sendable {
  private struct State {
    var now: Int64 = 1_790_000_000_000_000
    var awake = Duration.seconds(1000)
    var asleep = Duration.zero
    var boot = "first"
  }

  private let state = Mutex(State())

  /// Time passes on all of them.
  func pass(_ time: Duration) {
    state.withLock {
      $0.now += time.microseconds
      $0.awake += time
    }
  }

  /// The machine sleeps.
  func sleep(_ time: Duration) {
    state.withLock {
      $0.now += time.microseconds
      $0.asleep += time
    }
  }

  /// Somebody sets the clock.
  func set(_ now: Timestamp) { state.withLock { $0.now = now.microseconds } }

  /// The machine is started anew.
  func restart() {
    state.withLock {
      $0.boot = "second"
      $0.awake = .seconds(1)
      $0.asleep = .zero
    }
  }

  var now: Timestamp { Timestamp(microseconds: state.withLock { $0.now }) }

  var clocks: TelemetryClocks {
    TelemetryClocks(
      now: { self.now }, sinceBoot: { self.state.withLock { $0.awake + $0.asleep } },
      awake: { self.state.withLock { $0.awake } }, boot: { self.state.withLock { $0.boot } })
  }
}

extension Duration {
  var microseconds: Int64 {
    components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
  }
}

extension Timestamp {
  init(seconds: Int64) { self.init(microseconds: seconds * 1_000_000) }
}
