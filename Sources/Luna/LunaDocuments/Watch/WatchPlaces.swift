package import Bluetooth
package import LunaCore
import LunaFinder
package import LunaWatch
import Synchronization

/// Positions that wait for the frames that were heard there.
package final class WatchPlaces: Sendable {
  /// After so many places in a row what was in the way of them is over.
  private static let steady = 30

  /// A place that somebody wrote down is said again so often, µs: the box is still there.
  private static let standing: Int64 = 300_000_000

  private struct State {
    var fixes: [WatchFix]
    var next = 0
    /// Where the box always is, and when that was said last.
    var place: WatchFix?
    var said: Timestamp?
  }

  private let waiting: Mutex<State>

  /// - Parameter fixes: those that are known already, in the order of time.
  package init(_ fixes: [WatchFix]) { waiting = Mutex(State(fixes: fixes)) }

  /// Takes what a source says until it ends.
  ///
  /// - Parameter lost: gets why there are no places: each reason once, until places come again for a while.
  package func follow(
    _ source: any LocationSource, lost: @Sendable (String) -> Void
  ) async {
    var told: [String] = []
    var places = 0
    for await update in source.updates {
      let reason: String
      switch update {
      case .fix(let fix):
        let place = WatchFix(
          time: fix.measuredAt ?? .unknown, latitude: fix.latitude, longitude: fix.longitude,
          accuracy: fix.horizontalAccuracy)
        waiting.withLock { waiting in
          waiting.place = fix.measuredAt == nil ? place : nil
          waiting.said = nil
          guard waiting.place == nil else { return }
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

  /// Hands out those up to a time, and where the box stands at it.
  package func take(until time: Timestamp, _ body: (WatchFix) -> Void) {
    waiting.withLock { waiting in
      while waiting.next < waiting.fixes.count, waiting.fixes[waiting.next].time <= time {
        body(waiting.fixes[waiting.next])
        waiting.next += 1
      }
      if waiting.next > 1_024, waiting.next == waiting.fixes.count {
        waiting.fixes = []
        waiting.next = 0
      }
      // At the end nothing is said of a place where nothing was heard.
      guard var place = waiting.place, time != .unknown, time.microseconds != .max else { return }
      if let said = waiting.said,
        (time.microseconds &- said.microseconds).magnitude < WatchPlaces.standing.magnitude
      {
        return
      }
      place.time = time
      waiting.said = time
      body(place)
    }
  }
}
