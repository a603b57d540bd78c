import Bluetooth

/// Whoever has connected: at most one peer for each advertisement.
extension PeripheralHost {
  /// Does what links want, until a reset makes it pointless.
  mutating func perform(
    _ wanted: [HCILinks.Action], at now: Duration, _ actions: inout [Action]
  ) {
    let before = era
    for action in wanted where era == before { perform(action, at: now, &actions) }
  }

  private mutating func perform(
    _ action: HCILinks.Action, at now: Duration, _ actions: inout [Action]
  ) {
    switch action {
    case .command(let command): send(command, for: .link(command), at: now, &actions)
    case .packet(let packet): actions.append(.send(packet.h4Packet))
    // With one advertisement there is no doubt; otherwise the controller tells which it was.
    case .accepted(let id): if sets.count == 1 { connected(id, to: 0, at: now, &actions) }
    case .advertisingSet(let number, let id):
      if sets.count > 1 { connected(id, to: Int(number), at: now, &actions) }
    case .received(let id, let pdu): received(pdu, on: id, at: now, &actions)
    case .down(let id, _, isOurs: _): down(id, &actions)
    case .stuck: reset(.stuck, at: now, &actions)
    case .connected, .failed, .ready: break
    }
  }

  private mutating func connected(
    _ id: LinkID, to number: Int, at now: Duration, _ actions: inout [Action]
  ) {
    if sets.indices.contains(number) { sets[number].isOnAir = false }
    // Who comes second goes, and who comes at the end.
    guard phase == .running, sets.indices.contains(number),
      !peers.contains(where: { $0.link.number == number })
    else { return perform(links.disconnect(id, at: now), at: now, &actions) }
    serial += 1
    let link = PeripheralLink(number: number, serial: serial)
    peers.append(ServedPeer(id: id, link: link, server: server))
    actions.append(.link(.connected(links.peer(of: id)?.address), link))
  }

  private mutating func received(
    _ pdu: [UInt8], on id: LinkID, at now: Duration, _ actions: inout [Action]
  ) {
    // Nobody knows whom it is for; or it asks on and on, and takes no answers.
    guard let index = peers.firstIndex(where: { $0.id == id }), !links.isCongested(id),
      links.backlog(id) <= backlogLimit
    else {
      return perform(links.disconnect(id, at: now), at: now, &actions)
    }
    let wanted = peers[index].server.receive(pdu)
    perform(wanted, on: id, at: now, &actions)
  }

  private mutating func down(_ id: LinkID, _ actions: inout [Action]) {
    speakAgain()
    guard let index = peers.firstIndex(where: { $0.id == id }) else { return }
    let peer = peers.remove(at: index)
    actions.append(.link(.disconnected, peer.link))
  }

  /// Does what the server of a link wants.
  mutating func perform(
    _ wanted: [ATTServerAction], on id: LinkID, at now: Duration, _ actions: inout [Action]
  ) {
    for action in wanted {
      guard let index = peers.firstIndex(where: { $0.id == id }) else { return }
      let link = peers[index].link
      switch action {
      case .send(let pdu): perform(links.send(pdu, on: id), at: now, &actions)
      case .mtu(let mtu): actions.append(.link(.mtu(mtu), link))
      case .read(let uuid, let offset): actions.append(.link(.read(uuid, offset: offset), link))
      case .write(let uuid, let value): actions.append(.link(.write(uuid, value), link))
      case .startTimer: peers[index].confirmationDeadline = now + ATTServer.confirmationLimit
      case .stopTimer: peers[index].confirmationDeadline = nil
      case .end: perform(links.disconnect(id, at: now), at: now, &actions)
      }
    }
  }

  /// Time has passed for what peers owe.
  mutating func tickPeers(at now: Duration, _ actions: inout [Action]) {
    for peer in peers {
      // Others may have gone meanwhile.
      guard let index = peers.firstIndex(where: { $0.id == peer.id }) else { continue }
      if let deadline = peer.confirmationDeadline, deadline <= now {
        peers[index].confirmationDeadline = nil
        let wanted = peers[index].server.confirmationTimedOut()
        perform(wanted, on: peer.id, at: now, &actions)
      } else if let deadline = peer.farewellDeadline, deadline <= now {
        peers[index].farewellDeadline = nil
        perform(links.disconnect(peer.id, at: now), at: now, &actions)
      }
    }
  }
}
