import LunaJSON
public import Prometheus

extension MetricsText {
  /// The numbers of a home: labelled by the ids of trackers, never with a coordinate. What nobody knows
  /// has no sample.
  public mutating func add(_ home: HomeSnapshot) {
    func values(
      _ value: (HomeTracker) -> Double?
    ) -> [(labels: [(String, String)], value: Double)] {
      home.trackers.compactMap { tracker in
        value(tracker).map { ([("tracker", tracker.id)], $0) }
      }
    }
    gauge(
      "luna_home_present", "Whether a tracker is heard nearby.",
      values { tracker in
        switch tracker["present"]?.value {
        case .string("yes")?: 1
        case .string("no")?: 0
        default: nil
        }
      })
    gauge(
      "luna_home_battery_low", "Whether the battery of a tracker is low.",
      values { tracker in
        guard let value = tracker["batteryLow"], value.isFresh else { return nil }
        return value.value == .bool(true) ? 1 : 0
      })
    gauge(
      "luna_home_rssi_dbm", "How strong a tracker is heard, dBm.",
      values { tracker in
        guard let value = tracker["rssi"], value.isFresh else { return nil }
        return PropertyValue(value.value)?.number
      })
    gauge(
      "luna_home_age_seconds", "How long ago a tracker was heard, s.",
      values { $0["lastSeen"]?.at.map { Double(max(0, home.time - $0)) / 1_000_000 } })
    let links = [("radio", home.radio), ("backend", home.backend), ("broker", home.broker)]
    gauge(
      "luna_home_link_works", "Whether what a home depends on works.",
      links.compactMap { name, link in
        link.map { ([("link", name)], $0.state == .works ? 1 : 0) }
      })
    gauge(
      "luna_home_notices", "How many things a person should know.",
      [([], Double(home.notices.count))])
  }
}
