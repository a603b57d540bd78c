import Bluetooth
import Diagnosis
import LunaCore
import LunaProtocol

extension FinderMachine {
  private var interval: Duration {
    .seconds(configuration.minimumTimeBetweenTwoEventsInSeconds)
  }

  /// Takes a frame: keeps track of who is there, and reports it if it is time.
  mutating func hear(
    _ heard: HeardFrame, at moment: FinderMoment, _ actions: inout [FinderAction]
  ) {
    // Who has no owner is nobody's business (PROTOCOL.md, 7).
    guard !heard.frame.isOnboardable else { return }
    lastLuna = moment.elapsed
    let identity = FrameIdentity(heard.frame)
    guard var presence = presences[identity] ?? meet(heard, at: moment) else { return }
    presence.last = heard
    presence.lastHeard = moment.elapsed
    if presence.seconds.hear(at: moment.elapsed), presence.isDoubtful,
      presence.seconds.count >= FinderMachine.proof
    {
      believable.offer(identity, rank: presence.seconds.rankBySpan)
    }
    if let heid = presence.heid, heid == commands.running?.package.heid {
      actions.append(.heard(heard))
    }
    if presence.lastEvent.map({ moment.elapsed - $0 >= interval }) ?? true {
      report(heard, &presence, at: moment, &actions)
    }
    presences[identity] = presence
  }

  mutating func report(
    _ heard: HeardFrame, _ presence: inout Presence, at moment: FinderMoment,
    _ actions: inout [FinderAction]
  ) {
    guard
      let location = position.location(
        at: moment, rssi: heard.rssi, isSimulated: isSimulated)
    else {
      // It is reported as soon as there is a position; what was lost is counted as it would be sent.
      guard presence.lastLoss.map({ moment.elapsed - $0 >= interval }) ?? true else { return }
      presence.lastLoss = moment.elapsed
      losses[DropReason.noLocation, default: 0] += 1
      return
    }
    presence.lastEvent = moment.elapsed
    guard isClockPlausible == true else {
      hold(
        HeldSighting(
          heard: heard, location: location, elapsed: moment.elapsed,
          isDoubtful: presence.isDoubtful))
      return
    }
    seal(heard, location, presence.isDoubtful, &actions)
  }

  /// Keeps a sighting until the clock is set. Doubtful ones go first when there are too many.
  private mutating func hold(_ sighting: HeldSighting) {
    held.append(sighting)
    guard held.count > HeldSighting.limit else { return }
    held.remove(at: held.firstIndex(where: \.isDoubtful) ?? 0)
    losses[DropReason.clock, default: 0] += 1
  }

  private mutating func seal(
    _ heard: HeardFrame, _ location: ReportedLocation, _ isDoubtful: Bool,
    _ actions: inout [FinderAction]
  ) {
    var location = location
    location.collectedAt =
      time(Timestamp(unixMilliseconds: location.collectedAt)).unixMilliseconds
    do throws(LocationRejection) {
      let record = try LocationRecord(location)
      actions.append(
        .seal(
          FinderSighting(
            heard: heard, location: location, record: record, isDoubtful: isDoubtful)))
    } catch {
      losses[DropReason.sealing, default: 0] += 1
    }
  }

  /// Remembers under which names reports are filed.
  mutating func learn(_ heids: [FrameIdentity: HEID]) {
    for (identity, heid) in heids where presences[identity] != nil {
      presences[identity]?.heid = heid
      identities[heid] = identity
    }
  }

  /// Forgets who was silent for long.
  mutating func prune(at moment: FinderMoment) {
    guard moment.elapsed - lastPruning >= .seconds(60) else { return }
    lastPruning = moment.elapsed
    let memory = max(FinderMachine.memory, interval)
    presences = presences.filter { moment.elapsed - $0.value.lastHeard < memory }
    identities = identities.filter { presences[$0.value] != nil }
    doubtfulCount = presences.values.count(where: \.isDoubtful)
    countCrowd()
  }

  /// Notices whether the clock shows a time that can be; when it does at last, what was held gets its
  /// time, counted back.
  mutating func checkClock(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    let isPlausible = LocationRules.isPlausible(moment.now)
    defer { isClockPlausible = isPlausible }
    if !isPlausible, isClockPlausible != false {
      actions.append(
        .problem(
          FinderError(
            .clock, "the clock shows \(moment.now.rfc3339): reports wait until it is set",
            remedy: "set it with NTP or gpsd")))
    }
    guard isPlausible, !held.isEmpty else { return }
    for sighting in held {
      var location = sighting.location
      location.collectedAt =
        moment.now.unixMilliseconds - (moment.elapsed - sighting.elapsed).wholeMilliseconds
      seal(sighting.heard, location, sighting.isDoubtful, &actions)
    }
    held = []
  }

  /// Gives up what was held.
  mutating func dropHeld() {
    guard !held.isEmpty else { return }
    losses[DropReason.clock, default: 0] += held.count
    held = []
  }
}
