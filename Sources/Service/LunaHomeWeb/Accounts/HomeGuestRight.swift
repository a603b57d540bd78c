package import Bluetooth

/// What a guest may do with a tracker, and from when on what it does is seen.
package struct HomeGuestRight: Hashable, Sendable {
  /// The id of the tracker.
  package let tracker: String
  /// Whether the guest rings it as well.
  package let rings: Bool
  /// When the guest got to see it: what was before is not theirs.
  package let since: Timestamp

  init(_ tracker: String, rings: Bool, since: Timestamp) {
    self.tracker = tracker
    self.rings = rings
    self.since = since
  }

  /// Reads one as it is kept; of earlier versions it is an id alone, which was seen and rung.
  ///
  /// - Parameter time: when the account was made.
  init(line: Substring, at time: Timestamp) {
    let parts = line.split(separator: "=", maxSplits: 1)
    let words = parts.count > 1 ? parts[1].split(separator: "@") : []
    tracker = parts.first.map { String($0) } ?? ""
    rings = words.first != "see"
    since =
      words.last.flatMap { Int64($0) }.map { Timestamp(microseconds: $0) } ?? time
  }

  /// As it is kept: `bike=ring@1790000000000000`. An id has none of these signs.
  var line: String { "\(tracker)=\(rings ? "ring" : "see")@\(since.microseconds)" }

  /// Those of a guest: who had one goes on seeing what was since then.
  static func lines(
    ring: [String], see: [String], at time: Timestamp, before: [HomeGuestRight] = []
  ) -> String {
    let rights =
      ring.map { HomeGuestRight($0, rings: true, since: time) }
      + see.filter { !ring.contains($0) }.map { HomeGuestRight($0, rings: false, since: time) }
    return rights.map { right in
      let old = before.first { $0.tracker == right.tracker }
      return HomeGuestRight(right.tracker, rings: right.rings, since: old?.since ?? time).line
    }.joined(separator: "\n")
  }
}
