package import Bluetooth
package import LunaCore
import LunaFinder
package import LunaWatch
import Synchronization

/// Positions that wait for the frames that were heard there.
package final class WatchPlaces: Sendable {
  /// After so many places in a row what was in the way of them is over.
  private static let steady = 30

  private let waiting: Mutex<(fixes: [WatchFix], next: Int)>

  /// - Parameter fixes: those that are known already, in the order of time.
  package init(_ fixes: [WatchFix]) { waiting = Mutex((fixes, 0)) }

  /// Takes what a source says until it ends.
  ///
  /// - Parameters:
  ///   - now: the time of a place that does not move.
  ///   - lost: gets why there are no places: each reason once, until places come again for a while.
  package func follow(
    _ source: any LocationSource, now: @Sendable () -> Timestamp,
    lost: @Sendable (String) -> Void
  ) async {
    var told: [String] = []
    var places = 0
    for await update in source.updates {
      let reason: String
      switch update {
      case .fix(let fix):
        let place = WatchFix(
          time: fix.measuredAt ?? now(), latitude: fix.latitude, longitude: fix.longitude,
          accuracy: fix.horizontalAccuracy)
        waiting.withLock { waiting in
          // The clock was set back: one of a time to come would hold up all that follow.
          while waiting.fixes.count > waiting.next, let last = waiting.fixes.last,
            last.time > place.time
          {
            waiting.fixes.removeLast()
          }
          waiting.fixes.append(place)
        }
        places += 1
        if places >= WatchPlaces.steady { told = [] }
        continue
      case .refused(let refusal): reason = refusal.sentence
      case .unavailable(let text): reason = text
      }
      places = 0
      guard !told.contains(reason), told.count < WatchPlaces.steady else { continue }
      told.append(reason)
      lost(reason)
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
