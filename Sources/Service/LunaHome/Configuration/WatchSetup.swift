import Beacons
import LunaWatch

/// How a file wants trackers of others to be watched (HOME.md 6).
struct WatchSetup: Hashable, Sendable {
  /// Whether they are.
  let isEnabled: Bool
  /// How soon there is an alarm.
  let sensitivity: WatchSensitivity
  /// Whether nobody but the owner is to see any of it. Then no rule begins by it either: what a rule does, and
  /// that it ran, others can see.
  let isDiscreet: Bool
  /// Only these; empty for all.
  let families: Set<BeaconFamily>

  /// - Parameter node: `watch` of the file; nil where it says nothing.
  init(_ node: SourceNode?) {
    isEnabled = node?["enabled"]?.bool ?? true
    sensitivity = node?["sensitivity"]?.text.flatMap { WatchSensitivity(rawValue: $0) } ?? .medium
    isDiscreet = node?["discreet"]?.bool ?? false
    let words = (node?["families"]?.elements ?? []).compactMap(\.text)
    families = Set(words.compactMap { BeaconFamily(rawValue: $0) })
  }
}
