/// What trackers have done so far, counted from their news.
package struct TrackerTally: Sendable {
  private var periods = 0
  private var connections = 0
  private var open: Set<String> = []
  private var sounds = 0
  private var lights = 0

  /// Of trackers that have done nothing yet.
  package init() {}

  /// Something happened.
  package mutating func take(_ news: TrackerNews) {
    switch news.event {
    case .rotated: periods += 1
    case .connected:
      connections += 1
      open.insert(news.tracker)
    case .disconnected: open.remove(news.tracker)
    case .sound(_?): sounds += 1
    case .light(_?): lights += 1
    case .started, .mode, .connectable, .sound, .light, .state: break
    }
  }

  /// In words: `2 periods, 1 connection (1 open), 0 sounds, 3 lights`.
  package var text: String {
    TrackerTally.counted(periods, "period") + ", "
      + TrackerTally.counted(connections, "connection") + " (\(open.count) open), "
      + TrackerTally.counted(sounds, "sound") + ", " + TrackerTally.counted(lights, "light")
  }

  private static func counted(_ count: Int, _ thing: String) -> String {
    "\(count) \(thing)\(count == 1 ? "" : "s")"
  }
}
