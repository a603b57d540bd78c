import LunaCore
import LunaProtocol

extension HomeConfiguration {
  /// The devices of the trackers, by the trackers' ids: what a tracker names is a uuid or a name.
  func devices(among all: [Device]) -> [String: Device] {
    var found: [String: Device] = [:]
    for tracker in trackers {
      guard let wanted = tracker.device else { continue }
      found[tracker.id] =
        all.first { $0.uuid.description.lowercased() == wanted.lowercased() }
        ?? all.first { $0.name == wanted }
    }
    return found
  }
}
