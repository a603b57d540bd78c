import Bluetooth
import LunaCore
import LunaProtocol

extension FinderMachine {
  /// Hears an identifier for the first time, or again while it waits.
  ///
  /// - Returns: what is known of it from now on; nil while it is not believed.
  mutating func meet(_ heard: HeardFrame, at moment: FinderMoment) -> Presence? {
    guard newcomers.hear(heard, at: moment.elapsed) else { return nil }
    makeRoom(isDoubtful: false)
    return Presence(
      last: heard, lastHeard: moment.elapsed, seconds: HeardSeconds(at: moment.elapsed),
      isDoubtful: false)
  }

  /// At the end of a second, reports those of the waiting whose turn it is, and believes who has been
  /// there for long.
  mutating func turnSecond(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    guard let chosen = newcomers.turn(at: moment.elapsed) else { return }
    admit(chosen, at: moment, &actions)
    for identity in believable.take() where presences[identity]?.isDoubtful == true {
      makeRoom(isDoubtful: false)
      presences[identity]?.isDoubtful = false
      doubtfulCount -= 1
    }
  }

  /// Reports some that were heard in a flood, each as it was when it was heard.
  mutating func admit(
    _ chosen: [Newcomer], at moment: FinderMoment, _ actions: inout [FinderAction]
  ) {
    for newcomer in chosen {
      makeRoom(isDoubtful: true)
      var presence = Presence(
        last: newcomer.heard, lastHeard: newcomer.elapsed, seconds: newcomer.seconds,
        isDoubtful: true)
      doubtfulCount += 1
      report(newcomer.heard, &presence, at: moment.back(to: newcomer.elapsed), &actions)
      presences[newcomer.identity] = presence
    }
  }

  /// Forgets the longest silent when there are too many: a flood takes the place of its own alone.
  private mutating func makeRoom(isDoubtful: Bool) {
    let (count, limit) =
      isDoubtful
      ? (doubtfulCount, FinderMachine.floodLimit)
      : (presences.count - doubtfulCount, FinderMachine.crowdLimit)
    guard count >= limit else { return }
    // A command is on its way to that one.
    let target = commands.running.flatMap { identities[$0.package.heid] }
    let going = presences.lazy.filter { $0.value.isDoubtful == isDoubtful && $0.key != target }
      .map { (identity: $0.key, lastHeard: $0.value.lastHeard) }
      .sorted { $0.lastHeard < $1.lastHeard }
    for (identity, _) in going.prefix(limit / 8) {
      if let heid = presences.removeValue(forKey: identity)?.heid { identities[heid] = nil }
    }
    if isDoubtful { doubtfulCount -= min(going.count, limit / 8) }
  }

  /// How often a flood that goes on is told.
  private static let crowdStep: Duration = .seconds(60)
  private static let firstCrowdStep: Duration = .seconds(10)

  /// Tells when new identifiers begin to appear too fast, how many there are, and when it is over.
  mutating func watchCrowd(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    let elapsed = moment.elapsed
    if newcomers.areTooMany {
      if crowd == nil {
        crowd = CrowdWatch(
          since: moment.now, last: elapsed, tellAt: elapsed + FinderMachine.firstCrowdStep)
        tellCrowd(at: moment, &actions)
      }
      crowd?.last = elapsed
    }
    guard let crowd else { return }
    if elapsed - crowd.last >= CrowdWatch.calm {
      self.crowd = nil
      countCrowd()
      actions.append(.crowd(nil))
    } else if elapsed >= crowd.tellAt {
      self.crowd?.tellAt = elapsed + FinderMachine.crowdStep
      tellCrowd(at: moment, &actions)
    }
  }

  private mutating func tellCrowd(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    guard let crowd else { return }
    countCrowd()
    actions.append(
      .crowd(
        CrowdStatus(
          newPerMinute: newcomers.rate.perMinute, since: crowd.since, notedAt: moment.now)))
  }

  /// Counts those that went without having been reported. Not one by one: they can be thousands.
  mutating func countCrowd() {
    let gone = newcomers.takeGone()
    if gone > 0 { losses[DropReason.crowd, default: 0] += gone }
  }
}
