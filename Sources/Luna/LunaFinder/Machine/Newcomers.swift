/// The identifiers that wait to be reported, because there are too many new ones to believe in all of
/// them.
///
/// Somebody who makes identifiers up can do so a few thousand times a second, and cannot be told from
/// real trackers by what they send. But who goes on for as long as a tracker, which keeps its identifier
/// for a quarter of an hour, has the time on the air for few. So no more than ``places`` are reported of
/// those that are heard in a second, and have been heard in one before: first those that have been
/// heard for longest. Some of the places are for those that were heard in the most seconds, because what
/// is sent seldom can be kept alive for long in great numbers.
///
/// What counts is remembered of everybody, so that nobody is pushed out who is heard again while
/// ``memory`` others are. The tables are of Swift's own, which hashes with a secret of the process:
/// nobody on the air can aim at collisions.
struct Newcomers: Sendable {
  /// How many new ones in a minute are not abnormal.
  static let normalRate = 50
  /// How many are reported of a second, and how many of them for having been heard in the most seconds.
  static let places = 50
  static let placesByCount = 25
  /// How many are remembered at least, twice as many at most: at 4,000 a second those of 49 s, in 15 MB.
  /// It is what fits into a table before it grows.
  static let memory = 196_608
  /// For how long they are at least, unless there are too many: some radios give a report of a tracker
  /// only now and then.
  static let patience: Duration = .seconds(60)

  private(set) var rate = ArrivalRate()
  /// Those that were heard of late, and the generation before them, which goes all at once.
  private(set) var present: [FrameIdentity: HeardSeconds] = [:]
  private(set) var past: [FrameIdentity: HeardSeconds] = [:]
  private var generationBegan: Duration = .zero
  private var second: UInt32 = 0
  /// Who may be reported of this second.
  private var bySpan = Shortlist<Newcomer>(limit: places)
  private var byCount = Shortlist<Newcomer>(limit: placesByCount)
  /// How many have gone without having been reported, since it was asked last.
  private var gone = 0

  /// Whether there are abnormally many.
  var areTooMany: Bool { rate.perMinute > Newcomers.normalRate }

  var count: Int { present.count + past.count }

  /// Hears one that was not reported yet.
  ///
  /// - Returns: whether it is to be reported now; otherwise it may be its turn at the end of this second.
  mutating func hear(_ heard: HeardFrame, at elapsed: Duration) -> Bool {
    let identity = FrameIdentity(heard.frame)
    guard var seconds = present[identity] ?? past.removeValue(forKey: identity) else {
      rate.add(at: elapsed)
      guard areTooMany else { return true }
      remember(identity, HeardSeconds(at: elapsed), at: elapsed)
      return false
    }
    let isNewSecond = seconds.hear(at: elapsed)
    remember(identity, seconds, at: elapsed)
    guard isNewSecond else { return false }
    let newcomer = Newcomer(heard: heard, elapsed: elapsed, seconds: seconds)
    bySpan.offer(newcomer, rank: seconds.rankBySpan)
    byCount.offer(newcomer, rank: seconds.rankByCount)
    return false
  }

  private mutating func remember(
    _ identity: FrameIdentity, _ seconds: HeardSeconds, at elapsed: Duration
  ) {
    present[identity] = seconds
    if present.count >= Newcomers.memory { beginGeneration(at: elapsed) }
  }

  private mutating func beginGeneration(at elapsed: Duration) {
    gone += past.count
    past = present
    present = [:]
    generationBegan = elapsed
  }

  /// Begins a new second when it is time.
  ///
  /// - Returns: who is to be reported of the last one; nil while it goes on.
  mutating func turn(at elapsed: Duration) -> [Newcomer]? {
    let now = HeardSeconds.second(elapsed)
    guard now != second else { return nil }
    second = now
    rate.advance(to: elapsed)
    let chosen = choose()
    if elapsed - generationBegan >= Newcomers.patience { beginGeneration(at: elapsed) }
    return chosen
  }

  /// Who is to be reported of what there is of this second.
  mutating func choose() -> [Newcomer] {
    var chosen = byCount.take()
    let identities = Set(chosen.map(\.identity))
    for newcomer in bySpan.take() where chosen.count < Newcomers.places {
      if !identities.contains(newcomer.identity) { chosen.append(newcomer) }
    }
    // One that has gone meanwhile was counted.
    return chosen.filter { forget($0.identity) }
  }

  private mutating func forget(_ identity: FrameIdentity) -> Bool {
    present.removeValue(forKey: identity) != nil || past.removeValue(forKey: identity) != nil
  }

  /// How many have gone without having been reported, since it was asked last.
  mutating func takeGone() -> Int {
    defer { gone = 0 }
    return gone
  }

  /// Gives all up that wait, at the end.
  mutating func giveUp() {
    gone += count
    present = [:]
    past = [:]
  }
}
