package import Bluetooth
package import LunaCore
import Synchronization

/// The last advertisement of something that is listened for, and what waits for the next one.
package final class LastReport: Sendable {
  private struct State {
    var report: AdvertisingReport?
    /// How often it was heard.
    var count = 0
    var wasTold = 0
  }

  private let state = Mutex(State())
  /// Rings when it was heard.
  package let bell = Bell()

  /// Nothing was heard yet.
  package init() {}

  /// It was heard.
  package func take(_ report: AdvertisingReport) {
    state.withLock { state in
      state.report = report
      state.count += 1
    }
    bell.ring()
  }

  /// The last one.
  package var report: AdvertisingReport? { state.withLock(\.report) }

  /// Waits for the next one, at most for a time.
  package func next(within limit: Duration) async -> AdvertisingReport? {
    let end = ContinuousClock.now + limit
    while true {
      let report: AdvertisingReport? = state.withLock { state in
        guard state.count != state.wasTold else { return nil }
        state.wasTold = state.count
        return state.report
      }
      if let report { return report }
      guard .now < end, !Task.isCancelled else { return nil }
      await bell.wait(for: end - .now)
    }
  }
}
