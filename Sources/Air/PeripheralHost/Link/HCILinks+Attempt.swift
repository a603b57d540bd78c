package import Bluetooth

/// Links that this side asks for.
extension HCILinks {
  /// While a link is asked for the controller listens all the time: interval and window of 60 ms,
  /// in steps of 0.625 ms.
  private static let scanInterval: UInt16 = 0x0060

  /// Asks for a link; answered by `connected` or `failed`. The controller must not scan meanwhile.
  ///
  /// - Parameter deadline: when it is taken back.
  package mutating func connect(to peer: GATTPeer, until deadline: Duration) -> [Action] {
    guard attempt == nil else { return [.failed(.busy)] }
    guard !links.values.contains(where: { $0.peer == peer }) else {
      return [.failed(.status(.connectionAlreadyExists))]
    }
    attempt = Attempt(peer: peer, deadline: deadline)
    return [.command(settings.isExtended ? extendedCreate(peer) : legacyCreate(peer))]
  }

  /// Takes the attempt back: nobody hears of it any more, and the next one has to wait until the
  /// controller knows.
  package mutating func cancel(at now: Duration) -> [Action] {
    guard attempt != nil, attempt?.cancelDeadline == nil else { return [] }
    attempt?.cancelDeadline = now + HCILinks.cancelLimit
    return [.failed(.timedOut), .command(HCICommand(HCIOpcode.leCreateConnectionCancel))]
  }

  /// The attempt is over, and so was not made.
  mutating func attemptFailed(_ failure: LinkFailure) -> [Action] {
    defer { attempt = nil }
    return attempt == nil || attempt?.cancelDeadline != nil ? [] : [.failed(failure)]
  }

  mutating func attemptTick(at now: Duration) -> [Action] {
    guard let attempt else { return [] }
    guard let limit = attempt.cancelDeadline else {
      return attempt.deadline <= now ? cancel(at: now) : []
    }
    guard limit <= now else { return [] }
    self.attempt = nil
    return [.stuck("the controller does not end its attempt to connect")]
  }

  private var ownAddressType: UInt8 { settings.usesRandomAddress ? 1 : 0 }

  /// Scan interval and window; then parameters of the connection; then the length of connection
  /// events, at least 2 and at most 2, which is left to the controller.
  private static let scanTiming = scanInterval.octets + scanInterval.octets
  private static let linkTiming = ConnectionParameters.quick.octets + [0, 0, 0, 0]

  private func legacyCreate(_ peer: GATTPeer) -> HCICommand {
    // scan interval 2, window 2, no accept list, peer address type and 6, own address type,
    // parameters 8, connection event length 2 and 2
    HCICommand(
      HCIOpcode.leCreateConnection,
      HCILinks.scanTiming + [0, peer.addressType.rawValue] + peer.address.littleEndianBytes
        + [ownAddressType] + HCILinks.linkTiming)
  }

  private func extendedCreate(_ peer: GATTPeer) -> HCICommand {
    // no accept list, own address type, peer address type and 6, PHYs (bit 0: 1M), then for the
    // PHY: scan interval 2, window 2, parameters 8, connection event length 2 and 2
    HCICommand(
      HCIOpcode.leExtendedCreateConnection,
      [0, ownAddressType, peer.addressType.rawValue] + peer.address.littleEndianBytes + [1]
        + HCILinks.scanTiming + HCILinks.linkTiming)
  }

  /// Takes the answer to a command of an action; nil when none came.
  package mutating func replied(
    to command: HCICommand, _ reply: HCICommandReply?, at now: Duration
  ) -> [Action] {
    switch command.opcode {
    case HCIOpcode.leCreateConnection, HCIOpcode.leExtendedCreateConnection: createReplied(reply)
    case HCIOpcode.leCreateConnectionCancel: cancelReplied(reply)
    case HCIOpcode.disconnect: disconnectReplied(command, reply)
    case HCIOpcode.leConnectionUpdate: updateReplied(command, reply)
    default: []
    }
  }

  private mutating func createReplied(_ reply: HCICommandReply?) -> [Action] {
    guard let reply else { return silent() }
    return reply.status == .success ? [] : attemptFailed(.status(reply.status))
  }

  private mutating func cancelReplied(_ reply: HCICommandReply?) -> [Action] {
    // Refused, and the attempt is not over: Connection Complete is on its way.
    reply == nil ? silent() : []
  }

  private mutating func silent() -> [Action] {
    let reason = "the controller does not answer"
    return attemptFailed(.lost(reason)) + [.stuck(reason)]
  }

  private mutating func disconnectReplied(
    _ command: HCICommand, _ reply: HCICommandReply?
  ) -> [Action] {
    guard let handle = command.parameters.span.littleEndianWord(at: 0) else { return [] }
    guard let reply else { return [.stuck("the controller does not answer")] }
    // The link is gone already; any other refusal leaves it to the time limit.
    return reply.status == .unknownConnection ? remove(handle, reply.status) : []
  }

  private mutating func updateReplied(
    _ command: HCICommand, _ reply: HCICommandReply?
  ) -> [Action] {
    if reply?.status != .success, let handle = command.parameters.span.littleEndianWord(at: 0) {
      links[handle]?.isUpdating = false
    }
    return []
  }
}
