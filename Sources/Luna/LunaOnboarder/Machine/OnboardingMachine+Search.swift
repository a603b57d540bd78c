import Bluetooth
import Diagnosis
import LunaCore
import LunaProtocol

/// Who is meant, and when to connect.
extension OnboardingMachine {
  /// How long nothing has to be done when nothing is heard.
  func patience(at elapsed: Duration) -> Duration {
    var deadlines = [limits.searchEnd]
    if current != nil, let lostAt { deadlines = [limits.resolutionEnd(after: lostAt)] }
    for candidate in candidates {
      deadlines += [
        candidate.foundAt + limits.settling, candidate.foundAt + OnboardingMachine.doubt,
      ]
    }
    return (deadlines.filter { $0 > elapsed }.min() ?? elapsed) - elapsed
  }

  /// Trackers were heard, or none.
  mutating func heard(
    _ sightings: [OnboardingSighting], at elapsed: Duration
  ) -> OnboardingAction {
    for sighting in sightings {
      switch sighting.identity {
      case .pending(let uuid):
        if let action = question(uuid, of: sighting, at: elapsed) { return action }
      case .factory(let hint):
        if let record = pending.first(where: { $0.hint == hint && isOver($0, at: elapsed) }),
          !request.isDryRun
        {
          phase = .discarding(record.device.uuid)
          return .discard(record.device.uuid)
        }
        if let failure = note(sighting, hint, at: elapsed) { return finish(.failure(failure)) }
      case .other(let esf):
        if isNamed(sighting.peer) {
          _ = note(sighting, nil, at: elapsed)
        } else if case .fitting = request.target, let wantedHint, esf == wantedHint {
          noteLocked(sighting.peer)
        }
      }
    }
    // One thing after the other: what became of the last attempt is to be known first.
    return current == nil ? choose(from: sightings, at: elapsed) : listen(at: elapsed)
  }

  /// Whether the tracker of a record can have no message on its way any more: in factory state it
  /// has not taken the keys, and never will.
  private func isOver(_ record: PendingOnboarding, at elapsed: Duration) -> Bool {
    if record.device.uuid == current {
      guard let lostAt else { return false }
      return elapsed - lostAt >= OnboardingMachine.echo
    }
    let age = now.unixMilliseconds / 1000 - Int64(record.device.onboardingSeconds)
    return age >= OnboardingMachine.linkLife || elapsed >= .seconds(OnboardingMachine.linkLife)
  }

  /// A tracker that shows the hint of the code, and not that it can be onboarded, has no owner and is
  /// locked. With a press of its button it can be.
  private mutating func noteLocked(_ peer: GATTPeer) {
    candidates.removeAll { $0.peer == peer }
    guard !isLocked else { return }
    isLocked = true
    tell(.locked(peer))
  }

  private func isNamed(_ peer: GATTPeer) -> Bool {
    switch request.target {
    case .fitting: false
    case .address(let address): address == peer.address
    // Nobody else is shown to the machine then.
    case .device: true
    }
  }

  /// Takes note of a tracker that may be meant; a failure when it is named and cannot be.
  private mutating func note(
    _ sighting: OnboardingSighting, _ hint: ESF?, at elapsed: Duration
  ) -> OnboardingError? {
    let address = sighting.peer.address
    if wantedHint == hint { isLocked = false }
    if case .fitting = request.target {
      guard wantedHint == nil || hint == wantedHint else {
        strangers.insert(address)
        return nil
      }
    } else {
      guard isNamed(sighting.peer) else { return nil }
      guard wantedHint == nil || hint == nil || hint == wantedHint else {
        return OnboardingError(
          .wrongCode, "the tracker at \(address) has another code",
          remedy: "check the code on the label of this very tracker")
      }
    }
    if hint != nil,
      told.updateValue(sighting.isConnectable, forKey: address)
        != sighting.isConnectable
    {
      let text = address.description
      tell(
        sighting.isConnectable
          ? .discoveredConnectableLuna(text) : .discoveredNonConnectableLuna(text))
    }
    if let index = candidates.firstIndex(where: { $0.peer == sighting.peer }) {
      candidates[index].heardAt = elapsed
      candidates[index].hint = hint
    } else {
      candidates.append(
        Candidate(peer: sighting.peer, hint: hint, foundAt: elapsed, heardAt: elapsed))
    }
    return nil
  }

  /// Connects when it is clear to whom, and the tracker says that it accepts that.
  private mutating func choose(
    from sightings: [OnboardingSighting], at elapsed: Duration
  ) -> OnboardingAction {
    let present = candidates.filter { elapsed - $0.heardAt < OnboardingMachine.presence }
    guard let last = present.max(by: { $0.foundAt < $1.foundAt }) else {
      return listen(at: elapsed)
    }
    guard request.code != nil || request.allowsUnauthenticated || request.isDryRun else {
      return finish(.failure(.consentNeeded))
    }
    if case .fitting = request.target {
      if present.count > 1 {
        // A tracker that has changed its address counts twice for a moment.
        guard elapsed - last.foundAt >= OnboardingMachine.doubt else { return listen(at: elapsed) }
        return finish(.failure(ambiguous(present)))
      }
      // A code that fits leaves no choice; whom to take without one is open until all were heard.
      let first = candidates.map(\.foundAt).min() ?? elapsed
      guard request.code != nil || hasSettled || elapsed - first >= limits.settling else {
        return listen(at: elapsed)
      }
      hasSettled = true
    }
    if request.isDryRun {
      guard let hint = last.hint else { return finish(.failure(.keyedOrLocked)) }
      return finish(.success(.found(last.peer, hint: hint)))
    }
    // What became of its last onboarding is to be known first.
    guard elapsed < limits.searchEnd, !pending.contains(where: { $0.hint == last.hint }),
      sightings.contains(where: { $0.peer == last.peer && $0.isConnectable })
    else { return listen(at: elapsed) }
    return approach(last, at: elapsed)
  }

  private func ambiguous(_ present: [Candidate]) -> OnboardingError {
    let addresses = present.prefix(4).map { $0.peer.description }.joined(separator: ", ")
    return OnboardingError(
      .ambiguous,
      request.code == nil
        ? "\(present.count) trackers wait to be onboarded: \(addresses)"
        : "\(present.count) trackers have this code: \(addresses)",
      remedy: "give the address of the one you mean, or take the others away")
  }

  /// What it comes to when the time is over.
  var overdue: OnboardingError {
    if let lastFailure { return lastFailure }
    let seconds = limits.searchEnd.components.seconds
    let button: Remedy = "press its button: then it accepts connections for a minute"
    if candidates.contains(where: { $0.hint != nil }) {
      return OnboardingError(
        .notConnectable, "the tracker was heard, but accepted no connection within \(seconds) s",
        remedy: button)
    }
    guard candidates.isEmpty else { return .keyedOrLocked }
    if isLocked { return .locked }
    if case .address(let address) = request.target {
      return OnboardingError(
        .notFound, "no tracker was heard at \(address) within \(seconds) s",
        remedy: "trackers change their address: \(.following) shows those that can be onboarded")
    }
    if !strangers.isEmpty {
      return OnboardingError(
        .notFound,
        "of \(strangers.count) that can be onboarded, no tracker has this code",
        remedy: "check the code, and bring its tracker near")
    }
    return OnboardingError(
      .notFound, "no tracker that can be onboarded was heard within \(seconds) s",
      remedy: "bring it near and \(button); a tracker that has an owner has to be reset first")
  }
}
