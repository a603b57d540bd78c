import Beacons

extension WatchEngine {
  /// An identifier begins at most so long after the one before it ended, s.
  private static let hand = 30
  /// Others of the family that come or go within this make it a crowd, s.
  private static let crowd = 120
  /// What lives shorter links nothing, s.
  private static let shortest = 180
  /// How far the signals of both may differ, dB.
  private static let signal = 10

  /// Links the identifiers that began long enough ago.
  mutating func link() {
    let due = now - WatchEngine.linkDelay
    while nextBegin < begins.count, begins[nextBegin].time <= due {
      if settings.rules.contains(.chain) { link(begins[nextBegin]) }
      nextBegin += 1
    }
    // What is older than any link needs.
    let old = due - 600
    if let first = begins.first, first.time < old {
      let keep = min(nextBegin, begins.firstIndex { $0.time >= old } ?? begins.count)
      begins.removeFirst(keep)
      nextBegin -= keep
    }
    if let first = ends.first, first.time < old - 600 { ends.removeAll { $0.time < old } }
  }

  private mutating func link(_ begin: Edge) {
    let later = tracks[Int(begin.track)]
    guard LinkTable.chains[Int(later.identifier.code)], later.previous == Track.none,
      later.lifetime >= WatchEngine.crowd
    else { return }
    var candidate: Int32?
    for end in ends
    where end.time <= begin.time && begin.time - end.time <= WatchEngine.hand
      && fits(end.track, begin.track)
    {
      // Of two that may be meant neither is.
      guard candidate == nil || candidate == end.track else { return }
      candidate = end.track
    }
    guard let candidate else { return }
    let earlier = tracks[Int(candidate)]
    guard earlier.next == Track.none, earlier.lifetime >= WatchEngine.shortest else { return }
    // It ended there and was not heard since.
    guard earlier.last <= begin.time else { return }
    for other in begins
    where other.track != begin.track && other.time >= earlier.last
      && other.time - earlier.last <= WatchEngine.hand && fits(candidate, other.track)
    {
      return
    }
    if settings.rules.contains(.noLinkAtEdges),
      travel.hasEdge(near: earlier.last, within: WatchEngine.crowd)
        || travel.hasEdge(near: begin.time, within: WatchEngine.crowd)
    {
      return
    }
    let isCrowded = isCrowded(candidate, begin.track, from: earlier.last, to: begin.time)
    tracks[Int(candidate)].next = begin.track
    tracks[Int(begin.track)].previous = candidate
    tracks[Int(begin.track)].confidence =
      isCrowded && settings.rules.contains(.crowd) ? 0.85 : 0.97
    // What was said of it holds for its next identifier.
    if let exclusion = earlier.exclusion, later.exclusion == nil {
      tracks[Int(begin.track)].exclusion = exclusion
    }
    if let told = earlier.told, later.told.map({ $0 < told }) ?? true {
      tracks[Int(begin.track)].told = told
      tracks[Int(begin.track)].toldAt = earlier.toldAt
      tracks[Int(begin.track)].toldTrips = earlier.toldTrips
    }
    if earlier.isToldOfDays { tracks[Int(begin.track)].isToldOfDays = true }
  }

  /// Whether one identifier may be the next of another by what they say and how they are heard.
  private func fits(_ one: Int32, _ other: Int32) -> Bool {
    let (earlier, later) = (tracks[Int(one)], tracks[Int(other)])
    guard one != other, earlier.identifier.code == later.identifier.code,
      earlier.lastTraits == later.firstTraits
    else { return false }
    guard settings.rules.contains(.signal), let before = earlier.tail.median,
      let after = later.head.median
    else { return true }
    return abs(before - after) <= WatchEngine.signal
  }

  /// Whether others of the family came or went about then.
  private func isCrowded(_ one: Int32, _ other: Int32, from: Int, to: Int) -> Bool {
    let range = from - WatchEngine.crowd...to + WatchEngine.crowd
    let code = tracks[Int(one)].identifier.code
    for edges in [begins, ends] {
      for edge in edges
      where range.contains(edge.time) && edge.track != one && edge.track != other
        && tracks[Int(edge.track)].identifier.code == code
      {
        return true
      }
    }
    return false
  }
}
