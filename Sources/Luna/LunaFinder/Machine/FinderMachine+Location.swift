package import LunaCore

extension FinderMachine {
  /// Takes what the location source says.
  mutating func locate(
    _ update: LocationUpdate, at moment: FinderMoment, _ actions: inout [FinderAction]
  ) {
    switch update {
    case .fix(let fix):
      // Sources check it as well; one of an embedding program may not.
      if let refusal = LocationRules.refusal(of: fix, at: moment.now) {
        position.obstacle = refusal.sentence
        return
      }
      position.obstacle = nil
      let isNew = position.take(fix, at: moment)
      // The same place as before an interruption is told as well.
      if isNew || !position.wasKnown, let fix = position.fix { actions.append(.located(fix)) }
    case .refused(let refusal): position.obstacle = refusal.sentence
    case .unavailable(let reason): position.obstacle = reason
    }
  }

  /// Tells once when the last fix has grown too old.
  mutating func settlePosition(at moment: FinderMoment, _ actions: inout [FinderAction]) {
    let isKnown = position.isFresh(at: moment.elapsed)
    if !isKnown,
      position.wasKnown || (position.obstacle != nil && position.obstacle != position.told)
    {
      position.told = position.obstacle
      actions.append(.unlocated(position.obstacle ?? LocationRefusal.stale.sentence))
    }
    if isKnown { position.told = nil }
    position.wasKnown = isKnown
  }
}

extension LocationRefusal {
  /// For a person.
  package var sentence: String {
    switch self {
    case .noFix: "the receiver has no fix"
    case .stale: "the last position is more than 30 s old"
    case .impossibleDate: "the receiver gives an impossible date"
    case .impossiblePosition: "the receiver gives an impossible position"
    }
  }
}
