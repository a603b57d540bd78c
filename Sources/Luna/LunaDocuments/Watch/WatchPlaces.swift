package import Bluetooth
package import LunaCore
package import LunaWatch
import Synchronization

/// Positions that wait for the frames that were heard there.
package final class WatchPlaces: Sendable {
  private let waiting: Mutex<(fixes: [WatchFix], next: Int)>

  /// - Parameter fixes: those that are known already, in the order of time.
  package init(_ fixes: [WatchFix]) { waiting = Mutex((fixes, 0)) }

  /// Takes what a source says until it ends.
  ///
  /// - Parameter now: the time of a place that does not move.
  package func follow(_ source: any LocationSource, now: @Sendable () -> Timestamp) async {
    for await update in source.updates {
      guard case .fix(let fix) = update else { continue }
      waiting.withLock {
        $0.fixes.append(
          WatchFix(
            time: fix.measuredAt ?? now(), latitude: fix.latitude, longitude: fix.longitude,
            accuracy: fix.horizontalAccuracy))
      }
    }
  }

  /// Hands out those up to a time.
  package func take(until time: Timestamp, _ body: (WatchFix) -> Void) {
    waiting.withLock { waiting in
      while waiting.next < waiting.fixes.count, waiting.fixes[waiting.next].time <= time {
        body(waiting.fixes[waiting.next])
        waiting.next += 1
      }
      if waiting.next > 1_024, waiting.next == waiting.fixes.count {
        waiting = ([], 0)
      }
    }
  }
}
