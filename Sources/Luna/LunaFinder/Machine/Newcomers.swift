/// The identifiers that wait for a second sighting, because there are too many new ones to believe in
/// all of them.
///
/// Somebody who makes identifiers up can do so a few thousand times a second, and cannot be told from
/// real trackers by what they send. But each of theirs is heard as often as they send it, and all have
/// about the strength of their transmitter, while a tracker goes on for a quarter of an hour. So those
/// that were heard in the most seconds are believed first, each strength of signal has its turn, and
/// no more than a certain number are believed in a minute.
struct Newcomers: Sendable {
  /// How many new ones in a minute are not abnormal.
  static let normalRate = 50
  /// How many are believed in a second while there are more; what is left over is kept for a minute.
  static let grantsPerSecond = 20
  static let grantLimit = grantsPerSecond * 60
  /// How many that were heard once are remembered at least; as many again may be.
  static let onceLimit = 32_768
  /// How many that were heard again are.
  static let againLimit = 8192
  /// After how long one that was heard once has gone: some radios give a report of a tracker only now
  /// and then. A flood is bounded by the numbers above long before.
  static let patience: Duration = .seconds(120)
  /// After how long without a sighting one has gone that was heard again: those that wait for their
  /// turn are many, and what is sent five times and then no more must not stand in the way of who is
  /// still there.
  static let turnPatience: Duration = .seconds(20)

  private(set) var rate = ArrivalRate()
  /// Those that were heard once, and the generation before them: when there are too many, the older
  /// ones go all at once.
  private var once: [FrameIdentity: Newcomer] = [:]
  private var onceBefore: [FrameIdentity: Newcomer] = [:]
  /// Those that were heard again, 1 s later.
  private var again: [FrameIdentity: Newcomer] = [:]
  private var grants = Newcomers.grantLimit
  private var lastTurn: Duration = .zero
  /// Which strength of signal has its turn first.
  private var firstBand = 0
  /// How many have gone without having been reported, since it was asked last.
  private var gone = 0

  /// Whether there are abnormally many.
  var areTooMany: Bool { rate.perMinute > Newcomers.normalRate }

  var count: Int { once.count + onceBefore.count + again.count }

  /// Hears one that was not reported yet.
  ///
  /// - Returns: whether it is to be reported now.
  mutating func hear(_ identity: FrameIdentity, _ rssi: Int?, at elapsed: Duration) -> Bool {
    guard var newcomer = take(identity) else {
      rate.add(at: elapsed)
      guard areTooMany else { return true }
      remember(identity, Newcomer(rssi, at: elapsed))
      return false
    }
    // Normal again: there is no need for more.
    guard areTooMany else { return true }
    newcomer.hear(rssi, at: elapsed)
    if newcomer.seconds > 1 {
      if let end = newcomer.grantedUntil, elapsed <= end { return true }
      if grants > 0 {
        grants -= 1
        return true
      }
    }
    remember(identity, newcomer)
    return false
  }

  private mutating func take(_ identity: FrameIdentity) -> Newcomer? {
    again.removeValue(forKey: identity) ?? once.removeValue(forKey: identity)
      ?? onceBefore.removeValue(forKey: identity)
  }

  private mutating func remember(_ identity: FrameIdentity, _ newcomer: Newcomer) {
    guard newcomer.seconds == 1 else {
      again[identity] = newcomer
      if again.count >= 2 * Newcomers.againLimit { limit() }
      return
    }
    once[identity] = newcomer
    guard once.count >= Newcomers.onceLimit else { return }
    gone += onceBefore.count
    onceBefore = once
    once = [:]
  }

  /// Keeps those that were heard in the most seconds.
  private mutating func limit() {
    guard again.count > Newcomers.againLimit else { return }
    let sorted = again.sorted { Newcomers.isFirst($0.value, $1.value) }
    gone += sorted.count - Newcomers.againLimit
    again = Dictionary(
      uniqueKeysWithValues: sorted.prefix(Newcomers.againLimit).map { ($0.key, $0.value) })
  }

  private static func isFirst(_ one: Newcomer, _ other: Newcomer) -> Bool {
    (one.seconds, one.lastHeard) > (other.seconds, other.lastHeard)
  }

  // MARK: Once a second

  /// Forgets who has gone, and chooses who is believed. Does its work once a second.
  mutating func turn(at elapsed: Duration) {
    guard elapsed - lastTurn >= .seconds(1) else { return }
    let seconds = Int(clamping: (elapsed - lastTurn).components.seconds)
    lastTurn = elapsed
    rate.advance(to: elapsed)
    grants = min(
      Newcomers.grantLimit, grants + min(seconds, 60) * Newcomers.grantsPerSecond)
    forget(at: elapsed)
    if grants < Newcomers.grantsPerSecond * 2 { grant(at: elapsed) }
  }

  private mutating func forget(at elapsed: Duration) {
    let before = count
    for (path, patience) in [
      (\Newcomers.once, Newcomers.patience), (\Newcomers.onceBefore, Newcomers.patience),
      (\Newcomers.again, Newcomers.turnPatience),
    ] {
      let isAnyOld = self[keyPath: path].values.contains { elapsed - $0.lastHeard >= patience }
      guard isAnyOld else { continue }
      self[keyPath: path] = self[keyPath: path].filter { elapsed - $0.value.lastHeard < patience }
    }
    gone += before - count
    limit()
  }

  /// Where more wait than can be believed, those that were heard most come first, one of each strength
  /// of signal after the other. They are reported when they are heard again: what was sent twice and
  /// then no more is not.
  private mutating func grant(at elapsed: Duration) {
    var bands: [Int: [(FrameIdentity, Newcomer)]] = [:]
    for (identity, newcomer) in again where newcomer.grantedUntil.map({ $0 < elapsed }) ?? true {
      bands[newcomer.band, default: []].append((identity, newcomer))
    }
    for band in bands.keys {
      bands[band]?.sort { Newcomers.isFirst($0.1, $1.1) }
    }
    let order = bands.keys.sorted()
    guard !order.isEmpty else { return }
    firstBand += 1
    var round = 0
    while grants > 0 {
      var hasGranted = false
      for index in order.indices where grants > 0 {
        let band = order[(index + firstBand) % order.count]
        guard let waiting = bands[band], round < waiting.count else { continue }
        again[waiting[round].0]?.grantedUntil = elapsed + Newcomers.turnPatience
        grants -= 1
        hasGranted = true
      }
      round += 1
      if !hasGranted { return }
    }
  }

  /// How many have gone without having been reported, since it was asked last.
  mutating func takeGone() -> Int {
    defer { gone = 0 }
    return gone
  }

  /// Gives all up that wait, at the end.
  mutating func giveUp() {
    gone += count
    once = [:]
    onceBefore = [:]
    again = [:]
  }
}
