import Bluetooth
import LunaCore
import LunaProtocol

extension FinderMachine {
  /// Hears an identifier for the first time, or again while it waits.
  ///
  /// - Returns: what is known of it from now on; nil while it is not believed.
  mutating func meet(
    _ heard: HeardFrame, _ identity: FrameIdentity, at moment: FinderMoment
  ) -> Presence? {
    guard newcomers.hear(identity, heard.rssi, at: moment.elapsed) else { return nil }
    let isFromFlood = newcomers.areTooMany
    makeRoom(isFromFlood: isFromFlood)
    if isFromFlood { floodCount += 1 }
    return Presence(
      last: heard, lastHeard: moment.elapsed, counted: moment.elapsed, isFromFlood: isFromFlood)
  }

  /// Forgets some when there are too many: of a flood those of the flood.
  private mutating func makeRoom(isFromFlood: Bool) {
    if isFromFlood, floodCount >= FinderMachine.floodLimit {
      evict(FinderMachine.floodLimit / 8) { $0.isFromFlood }
    } else if presences.count >= FinderMachine.crowdLimit {
      evict(FinderMachine.crowdLimit / 8) { _ in true }
    }
  }

  /// Those go first that were heard in the fewest seconds, of these the longest silent.
  private mutating func evict(_ count: Int, of isOne: (Presence) -> Bool) {
    // A command is on its way to that one.
    let target = commands.running.flatMap { identities[$0.package.heid] }
    let going = presences.filter { isOne($0.value) && $0.key != target }
      .sorted {
        ($0.value.isFromFlood ? 0 : 1, $0.value.seconds, $0.value.lastHeard)
          < ($1.value.isFromFlood ? 0 : 1, $1.value.seconds, $1.value.lastHeard)
      }
    let gone = Set(going.prefix(count).map(\.key))
    presences = presences.filter { !gone.contains($0.key) }
    recount()
  }

  /// Keeps those of which `isKept` is true.
  mutating func keep(_ isKept: (Presence) -> Bool) {
    presences = presences.filter { isKept($0.value) }
    recount()
  }

  private mutating func recount() {
    floodCount = presences.values.count(where: \.isFromFlood)
    identities = identities.filter { presences[$0.value] != nil }
  }

  // MARK: Telling

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
