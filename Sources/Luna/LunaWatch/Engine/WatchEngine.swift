import Beacons
public import Bluetooth

/// Whether a tracker of somebody else stays with whoever carries the box. Frames and fixes go in, in the order
/// of time; findings come out.
public struct WatchEngine: Sendable {
  /// When an identifier began or ended.
  struct Edge: Sendable {
    let time: Int
    let track: Int32
  }

  /// How long the silence is after which an identifier counts as ended, s.
  static let silence = 150
  /// How often ended ones are looked for, s.
  static let sweep = 30
  /// How long after its begin an identifier is linked, s: by then it is known whether a trip ended there.
  static let linkDelay = 540
  /// How long after a trip what came along is judged again, s.
  static let judged = 7_200
  static let day = 86_400
  static let memory = 14 * day

  private(set) var settings: WatchSettings
  var travel = Travel()
  var tracks: [Track] = []
  var index: [WatchIdentifier: Int32] = [:]
  var active: [Int32] = []
  /// Begins that wait to be linked, and all begins and ends of the last minutes, in the order of time.
  var begins: [Edge] = []
  var ends: [Edge] = []
  var nextBegin = 0
  var findings: [WatchFinding] = []
  /// What was filled by short lives: family, trip, day.
  var shortLived: [(code: UInt8, trip: Int, day: Int)] = []
  var shortLivedTold: [UInt8: Int] = [:]
  var tally = WatchTally()
  var listened = Slots()
  /// Trips before this one are those of a process before: what was heard on them is known, and not counted anew.
  var resumed = 0

  /// The time now, s, which never goes back and begins in 1970 at the earliest, as slots have no numbers below zero;
  /// and how far that is ahead of the clock, µs.
  private(set) var now = 0
  /// The latest time so far, µs: of a process before, until something is heard.
  var latest: Int64 = 0
  private(set) var ahead: Int64 = 0
  private var nextSweep = 0
  private var nextJudgement = 0
  private var nextCare = 0
  private var began: Int?
  var start: Int { began ?? 0 }

  /// An engine that has heard nothing yet.
  public init(_ settings: WatchSettings) { self.settings = settings }

  /// Goes on with what was heard, and warns sooner or later from now on.
  package mutating func change(to sensitivity: WatchSensitivity) {
    settings.sensitivity = sensitivity
  }

  /// Follows the clock. One that is set back goes on from where it was; its loss is given back when it jumps
  /// forward again.
  private mutating func advance(to time: Timestamp) -> Bool {
    let time = time.ifPlausible
    guard time != .unknown else { return false }
    var moment = time.microseconds &+ ahead
    if moment < latest {
      // Frames of two adapters may be out of order by a little.
      if latest - moment > 10_000_000 { ahead += latest - moment }
      moment = latest
    } else if ahead > 0, moment - latest > 600_000_000 {
      ahead = max(0, ahead - (moment - latest))
      moment = max(latest, time.microseconds + ahead)
    }
    latest = moment
    now = Int(moment / 1_000_000)
    if began == nil {
      began = now
      (nextSweep, nextJudgement, nextCare) = (now, now, now + 3_600)
    }
    if now >= nextSweep { pass() }
    return true
  }

  /// What is due.
  private mutating func pass() {
    nextSweep = now + WatchEngine.sweep
    endSilent()
    if now >= nextJudgement {
      nextJudgement = now + Slots.length
      link()
      judge()
    }
    if now >= nextCare {
      nextCare = now + 3_600
      care()
    }
  }

  /// The clock's time of one of ours.
  func clock(_ time: Int) -> Timestamp {
    Timestamp(microseconds: Int64(time) * 1_000_000 - ahead)
  }

  /// Takes note that the radio hears: of any advertisement that is not a tracker's.
  @inline(__always)
  public mutating func listen(at time: Timestamp) {
    guard advance(to: time) else { return }
    let slot = UInt32(truncatingIfNeeded: now / Slots.length)
    listened.insert(slot, near: false)
    tally.hear(at: now)
  }

  /// Takes a frame of a tracker, which also shows that the radio hears.
  public mutating func hear(_ frame: WatchFrame) {
    guard advance(to: frame.time) else { return }
    let slot = UInt32(truncatingIfNeeded: now / Slots.length)
    listened.insert(slot, near: false)
    tally.hear(at: now)
    let number = index[frame.identifier] ?? begin(frame)
    let isNear = frame.state == .nearOwner
    let time = now
    tracks.change(Int(number)) { track in
      if track.lifetime < 120, track.head.count < 8 { track.head.insert(frame.rssi) }
      track.tail.insert(frame.rssi)
      track.slots.insert(slot, near: isNear)
      if time - track.last > 600 { track.stretch = time }
      track.last = time
      track.lastTraits = frame.traits
      track.lastState = frame.state
      if let exclusion = frame.exclusion { track.exclusion = exclusion }
    }
    if !tracks[Int(number)].isActive { revive(number) }
  }

  /// Takes where the box is now. Without positions there are no trips.
  public mutating func move(to fix: WatchFix) {
    guard advance(to: fix.time) else { return }
    travel.take(fix, at: now)
  }

  /// Takes somewhere as a place that one knows.
  public mutating func mark(_ place: WatchFix) { travel.mark(place) }

  /// Takes these as the places that are marked, and no others.
  package mutating func mark(only places: [WatchFix]) {
    travel.unmark()
    for place in places { travel.mark(place) }
  }

  /// Takes a tracker, with all identifiers that are linked to it, out of what is judged; nil takes it in again.
  ///
  /// - Returns: whether it is known here.
  @discardableResult
  public mutating func mark(_ identifier: WatchIdentifier, as exclusion: WatchExclusion?) -> Bool {
    guard let number = index[identifier] else { return false }
    var track = root(of: number)
    while track != Track.none {
      tracks[Int(track)].exclusion = exclusion
      track = tracks[Int(track)].next
    }
    return true
  }

  /// Judges what is there once more, at the end.
  public mutating func finish() {
    endSilent()
    link()
    judge()
  }

  /// Whether something was found since it was last asked.
  public var hasFindings: Bool { !findings.isEmpty }

  /// What was found since it was last asked.
  public mutating func takeFindings() -> [WatchFinding] {
    defer { findings = [] }
    return findings
  }

  /// How many identifiers are kept.
  public var identifierCount: Int { index.count }

  private mutating func begin(_ frame: WatchFrame) -> Int32 {
    if tracks.count >= settings.mostIdentifiers { makeRoom() }
    let number = Int32(tracks.count)
    tracks.append(Track(frame, at: now))
    index[frame.identifier] = number
    active.append(number)
    begins.append(Edge(time: now, track: number))
    return number
  }

  /// One that counted as ended is there again: a link from it was wrong.
  private mutating func revive(_ number: Int32) {
    tracks[Int(number)].isActive = true
    active.append(number)
    cut(after: number)
  }

  /// Ends a thread after a track.
  func isLinked(_ number: Int32) -> Bool { tracks[Int(number)].next != Track.none }

  mutating func cut(after number: Int32) {
    let next = tracks[Int(number)].next
    guard next != Track.none else { return }
    tracks[Int(number)].next = Track.none
    tracks[Int(next)].previous = Track.none
    tracks[Int(next)].confidence = 1
  }

  /// The first track of a thread.
  func root(of number: Int32) -> Int32 {
    var number = number
    while tracks[Int(number)].previous != Track.none { number = tracks[Int(number)].previous }
    return number
  }

  private mutating func endSilent() {
    var kept = 0
    for place in active.indices {
      let number = active[place]
      if now - tracks[Int(number)].last <= WatchEngine.silence {
        active[kept] = number
        kept += 1
      } else {
        tracks[Int(number)].isActive = false
        ends.append(Edge(time: tracks[Int(number)].last, track: number))
      }
    }
    active.removeLast(active.count - kept)
  }
}

extension [Track] {
  /// Changes one in its place.
  @inline(__always)
  fileprivate mutating func change(_ number: Int, _ body: (inout Track) -> Void) {
    body(&self[number])
  }
}
