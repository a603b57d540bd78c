package import Bluetooth

/// A controller as the radio of a tracker, as a value: it takes what the controller sends, what is
/// wanted, and the time since some start, and tells what is to be done. It sets the controller up,
/// sends advertisements, each of which replaces the one before in one step, and serves GATT to whoever
/// connects: one peer for each advertisement.
///
/// A controller that reports a fault of its hardware, does not answer, or refuses what it has to carry
/// out is reset: links end, and what is wanted goes on air again. One that has to be reset again and
/// again is given up.
package struct PeripheralHost: Sendable {
  /// What is to be done, in this order.
  package enum Action: Hashable, Sendable {
    /// Send this packet, which begins with its H4 indicator; the controller has room for it.
    case send([UInt8])
    /// The controller is set up; what is wanted goes on air.
    case ready
    /// What was wanted last of this advertisement is done; or put off, since the controller cannot
    /// advertise as well while somebody is connected.
    case settled(Int)
    /// Something happened on a link, which begins with `connected` and ends with `disconnected`.
    case link(PeripheralEvent, PeripheralLink)
    /// The controller is reset for this reason. ``ready`` follows, or ``failed(_:)``.
    case reset(ControllerFault)
    /// The controller cannot be used. Nothing follows.
    case failed(ControllerFault)
    /// What ``stop(at:)`` asked for is done. Nothing follows.
    case stopped
  }

  enum Phase: Hashable, Sendable {
    case off, settingUp, running, over
    /// Falls silent and ends links, until then at the latest.
    case stopping(until: Duration)
  }

  /// What an answer is for.
  enum Purpose: Sendable {
    case setup
    case countSets
    /// Of what is on air; whether a link was there, which is an excuse for a refusal.
    case change(HCICommand, hadLinks: Bool)
    case link(HCICommand)
    /// Nothing depends on it any more.
    case farewell
  }

  /// Generic Tag (Assigned Numbers, 2.6.2), the same for all.
  private static let appearance: UInt16 = 0x0200
  /// How long a controller may take to answer.
  package static let answerLimit = Duration.seconds(3)
  /// A controller is given up that has to be reset more often in ``resetTime``.
  package static let resetLimit = 3
  package static let resetTime = Duration.seconds(60)
  /// How long ``stop(at:)`` takes at most.
  package static let stopLimit = Duration.seconds(2)
  /// So many packets wait on a link at most: the longest answer and the longest indication, each in
  /// the smallest packets, and some answers of other protocols.
  static let queueLimit = 64

  /// What a new link starts with.
  let server: ATTServer
  private let largestMTU: Int
  var phase = Phase.off
  /// Counts the resets: what was begun before one is of no use after it.
  var era = 0
  var resets: [Duration] = []

  var setup = ControllerSetup()
  var commands = AdvertisingCommands(isExtended: false)
  var splitter = H4Splitter()
  var queue = HCICommandQueue()
  /// What the commands in the queue are for, in the same order.
  var purposes: [Purpose] = []
  var answerDeadline: Duration?

  var sets: [AdvertisingSet]
  var change: AdvertisingChange?

  var links = HCILinks(settings: HCILinks.Settings())
  var peers: [ServedPeer] = []
  var serial: UInt64 = 0

  /// A controller that is not touched yet.
  ///
  /// - Parameters:
  ///   - services: what is offered to those who connect, beside what every device has to offer.
  ///   - count: how many advertisements are sent side by side.
  ///   - largestMTU: the longest ATT PDU that is taken, 23 to 517 bytes.
  ///   - longestValue: the longest value that can be written, at most 512 bytes.
  package init(
    serving services: [GATTService], count: Int = 1, largestMTU: Int = ATTPDU.maximumMTU,
    longestValue: Int = ATTPDU.longestValue
  ) {
    self.largestMTU = min(max(largestMTU, ATTPDU.defaultMTU), ATTPDU.maximumMTU)
    server = ATTServer(
      GATTService.required(name: "Luna", appearance: PeripheralHost.appearance) + services,
      largestMTU: largestMTU, longestValue: longestValue)
    sets = [AdvertisingSet](repeating: AdvertisingSet(), count: max(1, count))
  }

  /// Whether the extended commands are in use.
  package var isExtended: Bool { commands.isExtended }

  /// When ``tick(at:)`` wants to be called; nil while only the controller can bring news.
  package var deadline: Duration? {
    var times: [Duration] = []
    if let answerDeadline { times.append(answerDeadline) }
    if let deadline = links.deadline { times.append(deadline) }
    for peer in peers {
      if let deadline = peer.confirmationDeadline { times.append(deadline) }
      if let deadline = peer.farewellDeadline { times.append(deadline) }
    }
    if case .stopping(let limit) = phase { times.append(limit) }
    return times.min()
  }

  /// Sets the controller up; answered by ``Action/ready`` or ``Action/failed(_:)``.
  package mutating func start(at now: Duration) -> [Action] {
    guard phase == .off else { return [] }
    var actions: [Action] = []
    beginSetup(at: now, &actions)
    return actions
  }

  /// Takes a packet of the controller, without its H4 indicator.
  package mutating func receive(
    _ type: HCIPacketType, _ bytes: Span<UInt8>, at now: Duration
  ) -> [Action] {
    var actions: [Action] = []
    take(type, bytes, at: now, &actions)
    return actions
  }

  /// Takes the next piece of a stream of H4 packets, such as a UART delivers.
  package mutating func receive(stream bytes: Span<UInt8>, at now: Duration) -> [Action] {
    var actions: [Action] = []
    let before = era
    var splitter = H4Splitter()
    swap(&splitter, &self.splitter)
    splitter.feed(bytes) { type, packet in take(type, packet, at: now, &actions) }
    // After a reset a packet that was cut off would swallow the answer.
    if era == before { self.splitter = splitter }
    return actions
  }

  /// The time for something has come.
  package mutating func tick(at now: Duration) -> [Action] {
    var actions: [Action] = []
    guard isAlive else { return actions }
    if let answerDeadline, answerDeadline <= now { answerTimedOut(at: now, &actions) }
    if isServing {
      perform(links.tick(at: now), at: now, &actions)
      tickPeers(at: now, &actions)
    }
    conclude(at: now, &actions)
    return actions
  }

  /// Falls silent and ends all links; answered by ``Action/stopped``.
  package mutating func stop(at now: Duration) -> [Action] {
    var actions: [Action] = []
    switch phase {
    case .running: beginStop(at: now, &actions)
    case .stopping: break
    case .off, .settingUp, .over:
      end(&actions)
      actions.append(.stopped)
    }
    return actions
  }

  /// The way to the controller is gone: so are the links.
  package mutating func abandon() -> [Action] {
    var actions: [Action] = []
    end(&actions)
    return actions
  }

  /// Sends this from now on, instead of what was sent under this number before; answered by
  /// ``Action/settled(_:)``. Before the controller is set up it is kept.
  ///
  /// - Parameter number: below the count.
  package mutating func advertise(
    _ advertisement: Advertisement, as number: Int, at now: Duration
  ) -> [Action] {
    var actions: [Action] = []
    guard sets.indices.contains(number), isWanting else { return actions }
    sets[number].wanted = advertisement
    sets[number].isDue = true
    conclude(at: now, &actions)
    return actions
  }

  /// Sends nothing under this number; answered by ``Action/settled(_:)``.
  ///
  /// - Parameter number: below the count.
  package mutating func silence(_ number: Int, at now: Duration) -> [Action] {
    var actions: [Action] = []
    guard sets.indices.contains(number), isWanting else { return actions }
    sets[number].wanted = nil
    sets[number].isDue = true
    conclude(at: now, &actions)
    return actions
  }

  /// Answers what was read or written first of what is not answered yet.
  package mutating func respond(
    _ response: GATTResponse, on link: PeripheralLink, at now: Duration
  ) -> [Action] {
    var actions: [Action] = []
    guard let index = peers.firstIndex(where: { $0.link == link }) else { return actions }
    let wanted = peers[index].server.respond(response)
    perform(wanted, on: peers[index].id, at: now, &actions)
    conclude(at: now, &actions)
    return actions
  }

  /// Indicates a value if the other side wants it; as much of it as fits.
  package mutating func indicate(
    _ value: [UInt8], of characteristic: BluetoothUUID, on link: PeripheralLink, at now: Duration
  ) -> [Action] {
    var actions: [Action] = []
    guard let index = peers.firstIndex(where: { $0.link == link }) else { return actions }
    let wanted = peers[index].server.indicate(characteristic, value)
    perform(wanted, on: peers[index].id, at: now, &actions)
    conclude(at: now, &actions)
    return actions
  }

  /// Ends a link once what was indicated is confirmed, soon in any case.
  package mutating func disconnect(_ link: PeripheralLink, at now: Duration) -> [Action] {
    var actions: [Action] = []
    guard let index = peers.firstIndex(where: { $0.link == link }) else { return actions }
    peers[index].farewellDeadline = now + ServedPeer.farewellLimit
    let wanted = peers[index].server.finish()
    perform(wanted, on: peers[index].id, at: now, &actions)
    conclude(at: now, &actions)
    return actions
  }

  /// The longest frame of a peer that is put together: an ATT PDU that is too long is answered as long
  /// as it is not twice as long.
  var longestPayload: Int { min(2 * largestMTU, L2CAPAssembler.longestPayload) }

  /// So many bytes may wait for a peer that asks something, who has the answers to all before: an
  /// indication with its header of 4 bytes, and as much again for other protocols.
  var backlogLimit: Int { 2 * (largestMTU + 4) }

  /// Whether the controller has a say.
  var isAlive: Bool {
    switch phase {
    case .off, .over: false
    case .settingUp, .running, .stopping: true
    }
  }

  /// Whether there can be links.
  var isServing: Bool {
    switch phase {
    case .running, .stopping: true
    case .off, .settingUp, .over: false
    }
  }

  /// Whether there is still something to want.
  private var isWanting: Bool {
    switch phase {
    case .off, .settingUp, .running: true
    case .stopping, .over: false
    }
  }

  /// What follows from whatever has happened.
  mutating func conclude(at now: Duration, _ actions: inout [Action]) {
    switch phase {
    case .running:
      // Nothing is in the way of what was put off.
      if links.isIdle { speakAgain() }
      proceed(at: now, &actions)
    case .stopping(let limit):
      guard limit <= now || !queue.isBusy && links.isIdle else { return }
      end(&actions)
      actions.append(.stopped)
    case .off, .settingUp, .over: break
    }
  }

  private mutating func beginStop(at now: Duration, _ actions: inout [Action]) {
    phase = .stopping(until: now + PeripheralHost.stopLimit)
    // What is being changed may be on air by the time that the controller reads this.
    for number in sets.indices where sets[number].isOnAir || change?.number == number {
      send(commands.stop(number), for: .farewell, at: now, &actions)
    }
    change = nil
    for number in sets.indices { sets[number] = AdvertisingSet() }
    for id in links.announced.sorted(by: { $0.serial < $1.serial }) {
      perform(links.disconnect(id, at: now), at: now, &actions)
    }
    conclude(at: now, &actions)
  }

  /// The controller is no more.
  mutating func end(_ actions: inout [Action]) {
    phase = .over
    forget(&actions)
  }

  /// Links are gone, and what was asked of the controller is not answered any more.
  mutating func forget(_ actions: inout [Action]) {
    for peer in peers { actions.append(.link(.disconnected, peer.link)) }
    peers = []
    links = HCILinks(settings: HCILinks.Settings())
    queue = HCICommandQueue()
    purposes = []
    answerDeadline = nil
    splitter = H4Splitter()
    era += 1
  }
}
