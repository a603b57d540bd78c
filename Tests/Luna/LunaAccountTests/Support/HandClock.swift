import Bluetooth
import LunaCore
import Synchronization

/// A time of day that is set by hand; waiting is over at once and lets time pass.
final class HandClock: Sendable {
  private let state = Mutex((now: Int64(1_000_000), elapsed: Duration.zero))

  private let waits: Bool

  /// - Parameter waits: whether waiting takes its time after all.
  init(waits: Bool = false) { self.waits = waits }

  /// Seconds since 1970.
  var now: Int64 {
    get { state.withLock { $0.now } }
    set { state.withLock { $0.now = newValue } }
  }

  /// How long there was waiting in all.
  var waited: Duration { state.withLock { $0.elapsed } }

  func pass(_ time: Duration) {
    state.withLock {
      $0.elapsed += time
      $0.now += time.components.seconds
    }
  }

  var clock: WallClock {
    WallClock(
      now: { Timestamp(seconds: self.now) }, elapsed: { self.waited },
      sleep: { pause in
        if self.waits { return try await Task.sleep(for: pause) }
        self.pass(pause)
      })
  }
}
