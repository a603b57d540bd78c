import Bluetooth

/// Bringing on air what is wanted.
extension PeripheralHost {
  /// What a link has ended, or kept from beginning, begins.
  mutating func speakAgain() {
    for number in sets.indices
    where sets[number].wanted != nil && !sets[number].isOnAir && change?.number != number {
      sets[number].isDue = true
    }
  }

  /// Begins the next change when none is under way.
  mutating func proceed(at now: Duration, _ actions: inout [Action]) {
    while phase == .running, change == nil, let number = sets.firstIndex(where: { $0.isDue }) {
      let set = sets[number]
      var steps: [HCICommand] = []
      if set.isOnAir { steps.append(commands.stop(number)) }
      if let wanted = set.wanted {
        steps += commands.set(wanted, number)
        steps.append(commands.start(number))
      }
      sets[number].isDue = false
      sets[number].isOnAir = false
      change = AdvertisingChange(number: number, speaks: set.wanted != nil, rest: steps)
      advance(at: now, &actions)
    }
  }

  /// Sends the next command of the change under way, or ends it.
  private mutating func advance(at now: Duration, _ actions: inout [Action]) {
    guard let current = change else { return }
    let number = current.number
    if let command = current.rest.first, !sets[number].isDue {
      change?.rest.removeFirst()
      let purpose = Purpose.change(command, hadLinks: !links.isIdle)
      return send(command, for: purpose, at: now, &actions)
    }
    // Either all is sent, or something else is wanted by now: then this is left off the air.
    if current.rest.isEmpty { sets[number].isOnAir = current.speaks }
    change = nil
    if !sets[number].isDue { actions.append(.settled(number)) }
  }

  /// A command of the change under way was answered; nil when it was not.
  mutating func changed(
    _ command: HCICommand, _ reply: HCICommandReply?, hadLinks: Bool, at now: Duration,
    _ actions: inout [Action]
  ) {
    guard let number = change?.number else { return }
    guard let reply else { return reset(.silent(command.opcode), at: now, &actions) }
    // A controller that was silent already may refuse to be.
    if reply.status == .success || command == commands.stop(number) {
      return advance(at: now, &actions)
    }
    // It may be refused only while somebody is connected.
    guard !links.isIdle || hadLinks else {
      return reset(.refused(command.opcode, reply.status), at: now, &actions)
    }
    change = nil
    if links.isIdle {
      sets[number].isDue = true
    } else if !sets[number].isDue {
      actions.append(.settled(number))
    }
  }
}
