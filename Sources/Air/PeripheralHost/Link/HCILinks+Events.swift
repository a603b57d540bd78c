package import Bluetooth

/// What the controller tells.
extension HCILinks {
  /// The highest handle that there is; above are reserved ones.
  private static let highestHandle: UInt16 = 0x0EFF

  /// Takes an event from its code on. Those of no interest, or cut short, change nothing.
  package mutating func receive(event bytes: Span<UInt8>, at now: Duration) -> [Action] {
    guard bytes.count >= 3 else { return [] }
    let bytes = bytes.extracting(first: min(bytes.count, 2 + Int(bytes[1])))
    guard bytes.count >= 3 else { return [] }
    switch bytes[0] {
    case HCIEventCode.disconnectionComplete: return disconnected(bytes)
    case HCIEventCode.numberOfCompletedPackets: return completed(bytes, at: now)
    case HCIEventCode.leMeta: break
    default: return []
    }
    switch bytes[2] {
    case HCIEventCode.leConnectionComplete, HCIEventCode.leEnhancedConnectionComplete:
      guard let complete = LEConnectionComplete(event: bytes) else {
        ignore()
        return []
      }
      return connected(complete, at: now)
    case HCIEventCode.leConnectionUpdateComplete:
      // subevent, status, handle 2
      if let handle = bytes.littleEndianWord(at: 4) { links[handle & 0x0FFF]?.isUpdating = false }
      return []
    case HCIEventCode.leLongTermKeyRequest: return keyRequested(bytes)
    case HCIEventCode.leRemoteConnectionParameterRequest: return parametersRequested(bytes)
    case HCIEventCode.leAdvertisingSetTerminated: return advertisingSetTerminated(bytes)
    default: return []
    }
  }

  private mutating func connected(_ complete: LEConnectionComplete, at now: Duration) -> [Action] {
    guard complete.status == .success else {
      // Of advertising that nobody answered there is nothing to tell.
      return complete.status == .advertisingTimeout ? [] : attemptFailed(.status(complete.status))
    }
    guard complete.handle <= HCILinks.highestHandle else {
      ignore()
      return []
    }
    // The end of an earlier link under this handle was never told.
    let before = remove(complete.handle, .connectionTimeout)
    return before + (complete.isCentral ? made(complete, at: now) : accepted(complete, at: now))
  }

  private mutating func made(_ complete: LEConnectionComplete, at now: Duration) -> [Action] {
    guard let attempt, attempt.peer.address == complete.peer else {
      return refuse(complete, at: now)
    }
    // Taken back too late, it is up and not wanted.
    guard attempt.cancelDeadline == nil, let id = add(complete, isAnnounced: true) else {
      return attemptFailed(.status(.connectionLimitExceeded)) + refuse(complete, at: now)
    }
    self.attempt = nil
    return [.connected(id)]
  }

  private mutating func accepted(_ complete: LEConnectionComplete, at now: Duration) -> [Action] {
    guard settings.acceptsPeers, let id = add(complete, isAnnounced: true) else {
      return refuse(complete, at: now)
    }
    return [.accepted(id)]
  }

  /// Ends a link that nobody wants.
  private mutating func refuse(_ complete: LEConnectionComplete, at now: Duration) -> [Action] {
    if complete.isCentral, attempt?.peer.address == complete.peer { attempt = nil }
    _ = add(complete, isAnnounced: false)
    return hangUp(complete.handle, at: now)
  }

  private mutating func disconnected(_ bytes: Span<UInt8>) -> [Action] {
    // code, length, status, handle 2, reason
    guard bytes.count >= 6, let handle = bytes.littleEndianWord(at: 3) else { return [] }
    let status = HCIStatus(rawValue: bytes[2])
    guard status == .success || status == .unknownConnection else { return [] }
    return remove(
      handle & 0x0FFF, status == .success ? HCIStatus(rawValue: bytes[5]) : status)
  }

  private mutating func completed(_ bytes: Span<UInt8>, at now: Duration) -> [Action] {
    // code, length, count, then for each link: handle 2, packets 2
    var drained: [UInt16] = []
    for index in 0..<Int(bytes[2]) {
      guard let word = bytes.littleEndianWord(at: 3 + 4 * index),
        let count = bytes.littleEndianWord(at: 5 + 4 * index)
      else { break }
      let handle = word & 0x0FFF
      guard let link = links[handle] else {
        ignore()
        continue
      }
      links[handle]?.inFlight = max(0, link.inFlight - Int(count))
      if case .draining = link.phase { drained.append(handle) }
    }
    var actions = pump()
    for handle in drained {
      guard let link = links[handle], case .draining = link.phase, link.waiting.isEmpty,
        link.inFlight == 0
      else { continue }
      actions += hangUp(handle, at: now)
    }
    return actions
  }

  private mutating func keyRequested(_ bytes: Span<UInt8>) -> [Action] {
    // subevent, handle 2, random number 8, diversifier 2: there is no key
    guard let handle = bytes.littleEndianWord(at: 3), links[handle & 0x0FFF] != nil else {
      return []
    }
    return [
      .command(
        HCICommand(
          HCIOpcode.leLongTermKeyRequestNegativeReply, (handle & 0x0FFF).octets))
    ]
  }

  private mutating func parametersRequested(_ bytes: Span<UInt8>) -> [Action] {
    // subevent, handle 2, parameters 8
    guard let word = bytes.littleEndianWord(at: 3), links[word & 0x0FFF] != nil,
      let wanted = ConnectionParameters(bytes, at: 5)
    else { return [] }
    let handle = (word & 0x0FFF).octets
    guard wanted.isAcceptable else {
      return [
        .command(
          HCICommand(
            HCIOpcode.leRemoteConnectionParameterRequestNegativeReply,
            handle + [HCIStatus.unacceptableParameters.rawValue]))
      ]
    }
    // handle 2, parameters 8, connection event length 2 and 2
    return [
      .command(
        HCICommand(
          HCIOpcode.leRemoteConnectionParameterRequestReply,
          handle + wanted.octets + [0, 0, 0, 0]))
    ]
  }

  private func advertisingSetTerminated(_ bytes: Span<UInt8>) -> [Action] {
    // subevent, status, set, handle 2, number of events
    guard bytes.count >= 7, bytes[3] == 0, let handle = bytes.littleEndianWord(at: 5),
      let link = links[handle & 0x0FFF], !link.isCentral, link.isAnnounced
    else { return [] }
    return [.advertisingSet(bytes[4], link.id)]
  }

  /// Takes a packet that a peer sent.
  package mutating func receive(_ packet: HCIACLPacket) -> [Action] {
    guard let link = links[packet.handle], link.isAnnounced, link.phase == .up,
      packet.broadcast == 0
    else {
      ignore()
      return []
    }
    guard let frame = links[packet.handle]?.assembler.take(packet) else { return [] }
    switch frame.channel {
    case L2CAPChannel.attribute: return [.received(link.id, frame.payload)]
    case L2CAPChannel.signalling: return signalled(frame.payload, on: link)
    case L2CAPChannel.security:
      guard let reply = SecurityRefusal.answer(frame.payload.span, isCentral: link.isCentral)
      else { return [] }
      return send(L2CAPFrame(channel: L2CAPChannel.security, payload: reply), on: link.id)
    default:
      ignore()
      return []
    }
  }

  private mutating func signalled(_ payload: [UInt8], on link: Link) -> [Action] {
    let answer = L2CAPSignalling.answer(
      payload.span, isCentral: link.isCentral, mayUpdate: !link.isUpdating)
    var actions: [Action] = []
    if let reply = answer.reply {
      actions += send(
        L2CAPFrame(channel: L2CAPChannel.signalling, payload: reply), on: link.id)
    }
    if let update = answer.update {
      links[link.id.handle]?.isUpdating = true
      // handle 2, parameters 8, connection event length 2 and 2
      actions.append(
        .command(
          HCICommand(
            HCIOpcode.leConnectionUpdate, link.id.handle.octets + update.octets + [0, 0, 0, 0])))
    }
    return actions
  }
}
