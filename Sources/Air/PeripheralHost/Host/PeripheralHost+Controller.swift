import Bluetooth

/// Setting the controller up, commands and their answers, and resets.
extension PeripheralHost {
  mutating func beginSetup(at now: Duration, _ actions: inout [Action]) {
    phase = .settingUp
    setup = ControllerSetup()
    perform(setup.start(), at: now, &actions)
  }

  private mutating func perform(
    _ action: ControllerSetup.Action, at now: Duration, _ actions: inout [Action]
  ) {
    switch action {
    case .send(let command): send(command, for: .setup, at: now, &actions)
    case .failed(let fault): giveUp(fault, &actions)
    case .ready:
      commands = AdvertisingCommands(isExtended: setup.hasExtendedAdvertising)
      // Nobody has to ask for the first.
      guard commands.isExtended, sets.count > 1 else { return run(with: 1, at: now, &actions) }
      let count = HCICommand(HCIOpcode.leReadNumberOfAdvertisingSets)
      send(count, for: .countSets, at: now, &actions)
    }
  }

  private mutating func run(with count: Int, at now: Duration, _ actions: inout [Action]) {
    guard sets.count <= count else { return giveUp(.fewAdvertisingSets(count), &actions) }
    links = HCILinks(
      settings: HCILinks.Settings(
        isExtended: commands.isExtended, usesRandomAddress: true, acceptsPeers: true,
        buffers: setup.buffers, queueLimit: PeripheralHost.queueLimit,
        longestPayload: longestPayload))
    phase = .running
    actions.append(.ready)
  }

  mutating func take(
    _ type: HCIPacketType, _ bytes: Span<UInt8>, at now: Duration, _ actions: inout [Action]
  ) {
    guard isAlive else { return }
    switch type {
    case .event: take(event: bytes, at: now, &actions)
    case .acl:
      if isServing, let packet = HCIACLPacket(bytes) {
        perform(links.receive(packet), at: now, &actions)
      }
    case .command, .synchronous, .isochronous: break
    }
    conclude(at: now, &actions)
  }

  private mutating func take(
    event bytes: Span<UInt8>, at now: Duration, _ actions: inout [Action]
  ) {
    guard bytes.count >= 2 else { return }
    switch bytes[0] {
    case HCIEventCode.commandComplete, HCIEventCode.commandStatus:
      if let reply = HCICommandReply(event: bytes) { answered(reply, at: now, &actions) }
    case HCIEventCode.hardwareError: reset(.hardware, at: now, &actions)
    default:
      if isServing { perform(links.receive(event: bytes, at: now), at: now, &actions) }
    }
  }

  mutating func send(
    _ command: HCICommand, for purpose: Purpose, at now: Duration, _ actions: inout [Action]
  ) {
    // The number is of no use: answers come in the order of the commands.
    guard queue.add(command, as: 0) else { return reset(.stuck, at: now, &actions) }
    purposes.append(purpose)
    sendNext(at: now, &actions)
  }

  private mutating func sendNext(at now: Duration, _ actions: inout [Action]) {
    if let command = queue.next() {
      actions.append(.send(command.h4Packet))
      answerDeadline = now + PeripheralHost.answerLimit
    } else if queue.isBusy, answerDeadline == nil {
      // It gives no leave to send.
      answerDeadline = now + PeripheralHost.answerLimit
    }
  }

  private mutating func answered(
    _ reply: HCICommandReply, at now: Duration, _ actions: inout [Action]
  ) {
    if queue.receive(reply) != nil {
      answerDeadline = nil
      conclude(purposes.removeFirst(), reply, at: now, &actions)
    }
    sendNext(at: now, &actions)
  }

  mutating func answerTimedOut(at now: Duration, _ actions: inout [Action]) {
    answerDeadline = nil
    guard queue.timedOut() != nil else { return }
    conclude(purposes.removeFirst(), nil, at: now, &actions)
    sendNext(at: now, &actions)
  }

  /// A command was answered; nil when it was not.
  private mutating func conclude(
    _ purpose: Purpose, _ reply: HCICommandReply?, at now: Duration, _ actions: inout [Action]
  ) {
    switch purpose {
    case .setup:
      // An answer that is none is not waited for any longer.
      let learned = reply.flatMap { setup.receive($0) }
      if let action = learned ?? setup.timedOut() { perform(action, at: now, &actions) }
    case .countSets:
      guard let reply else {
        return reset(.silent(HCIOpcode.leReadNumberOfAdvertisingSets), at: now, &actions)
      }
      let count = reply.status == .success ? reply.parameters.first ?? 1 : 1
      run(with: max(1, Int(count)), at: now, &actions)
    case .change(let command, let hadLinks):
      changed(command, reply, hadLinks: hadLinks, at: now, &actions)
    case .link(let command):
      perform(links.replied(to: command, reply, at: now), at: now, &actions)
    case .farewell: break
    }
  }

  /// The controller does not do what it must: it begins anew.
  mutating func reset(_ fault: ControllerFault, at now: Duration, _ actions: inout [Action]) {
    if case .stopping = phase {
      end(&actions)
      return actions.append(.stopped)
    }
    resets.removeAll { now - $0 >= PeripheralHost.resetTime }
    guard resets.count < PeripheralHost.resetLimit else { return giveUp(fault, &actions) }
    resets.append(now)
    forget(&actions)
    actions.append(.reset(fault))
    for number in sets.indices {
      // What is to be silent is silent; all else is said again.
      let isAwaited = sets[number].isDue || change?.number == number
      if sets[number].wanted == nil, isAwaited { actions.append(.settled(number)) }
      sets[number].isDue = sets[number].wanted != nil
      sets[number].isOnAir = false
    }
    change = nil
    beginSetup(at: now, &actions)
  }

  private mutating func giveUp(_ fault: ControllerFault, _ actions: inout [Action]) {
    end(&actions)
    actions.append(.failed(fault))
  }
}
