/// Whether a tracker is heard.
struct PresenceState: Hashable, Sendable, Codable {
  /// nil before anything is known.
  var isPresent: Bool?
  /// Nobody could have heard it, or it was loaded.
  var isUnknown = false
  /// The last frame that was strong enough to come.
  var candidate: Int64?
  /// The last frame that was strong enough to stay.
  var heard: Int64?
  /// From when on silence counts.
  var silentSince: Int64?
  /// The last times between two frames, µs.
  var intervals: [Int64] = []

  /// What a frame says of who is there.
  enum Hearing {
    /// Not yet that it is.
    case nothing
    /// It is, as was known.
    case stays
    /// It is, which was not known: that has no event, nor has what was merely not heard by a dead receiver.
    case isThere
    /// It has come.
    case comes
  }

  /// Silence lasts at least so long until a tracker is away, µs.
  static let leastSilence: Int64 = 120_000_000

  /// How long silence lasts until the tracker is away.
  var outAfter: Int64 {
    let sorted = intervals.sorted()
    let median = sorted.isEmpty ? 0 : sorted[sorted.count / 2]
    return max(PresenceState.leastSilence, 10 * median)
  }

  private static let twoFrames: Int64 = 30_000_000
  private static let hour: Int64 = 3_600_000_000

  /// Takes a frame that is strong enough to stay.
  ///
  /// - Parameters:
  ///   - comes: whether it is strong enough to come.
  ///   - now: boot time.
  /// - Returns: what it says.
  mutating func hear(comes isStrong: Bool, at now: Int64) -> Hearing {
    if let last = heard, now > last, now - last < PresenceState.hour {
      intervals.append(now - last)
      if intervals.count > 15 { intervals.removeFirst() }
    }
    heard = now
    // Also of who is not known to be there: what is strong enough to stay is no silence.
    if silentSince != nil { silentSince = now }
    if isPresent == true, !isUnknown {
      silentSince = now
      return .stays
    }
    guard isStrong else { return .nothing }
    guard let first = candidate, now - first <= PresenceState.twoFrames, now > first else {
      candidate = now
      return .nothing
    }
    let comes = isPresent == false
    isPresent = true
    isUnknown = false
    silentSince = now
    candidate = nil
    return comes ? .comes : .isThere
  }
}
