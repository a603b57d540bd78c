import Beacons
import LunaJSON
import LunaWatch

// All of it, for an owner.

extension HomeWatch {
  /// So many of one's own trackers are listed with their trips, those of the last time.
  private static let mostOwn = 200

  /// What was found and what is known, beside what was listened to and what cannot be found: without those, "nothing
  /// found" says nothing.
  mutating func report(at now: Int64) -> JSONValue {
    refresh(at: now)
    let summary = engine?.summary
    let open = suspects.filter { $0.mark == nil }.sorted { one, other in
      one.grade == other.grade ? one.found > other.found : one.grade > other.grade
    }
    let marked = suspects.filter { $0.mark != nil }.sorted { $0.found > $1.found }
    var own: [HomeSuspect] = []
    // Those of the last time are at the end.
    for finding in (summary?.excluded ?? []).reversed() where own.count < HomeWatch.mostOwn {
      guard finding.exclusion == .own || finding.exclusion == .shared, !finding.rides.isEmpty,
        var suspect = HomeSuspect(finding)
      else { continue }
      suspect.tracker = tracker(of: suspect)
      own.append(suspect)
    }
    var object: JSONObject = [
      "enabled": .bool(setup.isEnabled), "discreet": .bool(setup.isDiscreet),
      "sensitivity": .string(setup.sensitivity.rawValue),
      "since": since.map(HomeTime.json) ?? .null,
    ]
    object.append("families", .array(setup.families.map(\.rawValue).sorted().map { .string($0) }))
    object.append("listened", summary.map(HomeWatch.json) ?? .null)
    object.append("cannotFind", .array(WatchSummary.cannotFind.map { .string($0) }))
    object.append("suspects", .array(open.map(\.json)))
    object.append("excluded", .array(marked.map(\.json) + own.map(\.json)))
    return .object(object)
  }

  private static func json(_ summary: WatchSummary) -> JSONValue {
    let hours = (summary.hours * 100).rounded() / 100
    var object: JSONObject = ["hours": .real(hours)]
    object.append("trips", .integer(Int64(summary.trips)))
    object.append("gaps", .integer(Int64(summary.gaps)))
    object.append("gapMinutes", .integer(Int64(summary.gapMinutes)))
    object.append("identifiers", .integer(Int64(summary.identifiers)))
    object.append("forgotten", .integer(Int64(summary.dropped)))
    return .object(object)
  }
}
