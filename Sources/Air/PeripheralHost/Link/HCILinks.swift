package import Bluetooth

/// The LE links of a controller, in both roles, as a value: it takes what the controller sends, what
/// is wanted, and the time since some start, and tells what is to be done.
package struct HCILinks: Sendable {
  /// How the controller is used.
  package struct Settings: Sendable {
    /// Whether links are asked for by LE Extended Create Connection: where scanning or advertising
    /// uses extended commands, the legacy one is refused (Core Specification, Vol 4, Part E, 3.1.1).
    package var isExtended = false
    /// Whether this side has no public address, and so uses its random one.
    package var usesRandomAddress = false
    /// Whether peers may connect to what this side advertises.
    package var acceptsPeers = false
    package var buffers = ACLBuffers()
    /// So many packets wait on a link at most. What would make more of them wait is dropped: the peer
    /// takes nothing any more.
    package var queueLimit: Int
    /// The longest frame of a peer that is put together, bytes; longer ones are skipped.
    package var longestPayload: Int

    package init(
      isExtended: Bool = false, usesRandomAddress: Bool = false, acceptsPeers: Bool = false,
      buffers: ACLBuffers = ACLBuffers(), queueLimit: Int = HCILinks.queueLimit,
      longestPayload: Int = L2CAPAssembler.longestPayload
    ) {
      self.isExtended = isExtended
      self.usesRandomAddress = usesRandomAddress
      self.acceptsPeers = acceptsPeers
      self.buffers = buffers
      self.queueLimit = queueLimit
      self.longestPayload = longestPayload
    }
  }

  /// What is to be done, in this order.
  package enum Action: Hashable, Sendable {
    /// Send this; the answer is handed to ``replied(to:_:at:)``.
    case command(HCICommand)
    /// Send this; the controller has room for it.
    case packet(HCIACLPacket)
    /// The link that was asked for is up.
    case connected(LinkID)
    /// The link that was asked for was not made.
    case failed(LinkFailure)
    /// A peer has connected.
    case accepted(LinkID)
    /// The link is due to this advertising set, and has ended it.
    case advertisingSet(UInt8, LinkID)
    /// The peer sent an ATT PDU.
    case received(LinkID, [UInt8])
    /// The link is not congested any more.
    case ready(LinkID)
    /// The link is down.
    case down(LinkID, HCIStatus, isOurs: Bool)
    /// The controller does not do what it must, and has to be reset.
    case stuck(String)
  }

  /// So many links at a time; no controller of a PC has more.
  package static let capacity = 32
  /// What waits on a link may still go out before it is ended.
  static let farewellLimit = Duration.milliseconds(500)
  /// A link is ended when the peer knows, or else after the supervision time-out; then at last here.
  static let disconnectLimit = Duration.seconds(6)
  /// An attempt that was taken back ends at once.
  static let cancelLimit = Duration.seconds(2)
  /// So many packets wait on a congested link, and on one that is not any more.
  static let congestion = 32, relief = 8
  /// The packets that wait on a link, where nothing else is said.
  package static let queueLimit = 1024

  struct Attempt: Sendable {
    let peer: GATTPeer
    let deadline: Duration
    /// When an attempt that was taken back must have ended.
    var cancelDeadline: Duration?
  }

  enum Phase: Hashable, Sendable {
    case up
    /// To be ended when everything is sent, or then.
    case draining(until: Duration)
    /// Disconnect was sent.
    case closing(until: Duration)
  }

  struct Link: Sendable {
    let id: LinkID
    let peer: GATTPeer
    let isCentral: Bool
    /// Whether anybody was told of it; one that nobody wants is ended in silence.
    var isAnnounced = true
    var phase = Phase.up
    var assembler: L2CAPAssembler
    var waiting: [HCIACLPacket] = []
    /// Packets that the controller has and has not sent.
    var inFlight = 0
    var isCongested = false
    /// Whether parameters are being changed.
    var isUpdating = false
  }

  package let settings: Settings
  var links = LinkTable()
  var attempt: Attempt?
  private var serial = 0
  /// The handle after which the next packet is looked for: links take turns.
  private var turn: UInt16 = 0
  /// Packets, frames and events that were no use.
  package private(set) var ignored: UInt64 = 0

  package init(settings: Settings) { self.settings = settings }

  /// Whether there is neither a link nor an attempt at one.
  package var isIdle: Bool { links.isEmpty && attempt == nil }

  /// Whether an attempt at a link is under way.
  package var isConnecting: Bool { attempt != nil }

  /// The links that somebody was told of.
  package var announced: [LinkID] {
    links.values.compactMap { $0.isAnnounced ? $0.id : nil }
  }

  /// The packets that the controller has, and those that wait.
  package var load: (inFlight: Int, waiting: Int) {
    links.values.reduce(into: (0, 0)) { load, link in
      load.0 += link.inFlight
      load.1 += link.waiting.count
    }
  }

  /// The other side of a link.
  package func peer(of id: LinkID) -> GATTPeer? { link(id)?.peer }

  /// Whether so much waits on a link that it should be left alone.
  package func isCongested(_ id: LinkID) -> Bool { link(id)?.isCongested ?? false }

  /// The bytes that wait on a link.
  package func backlog(_ id: LinkID) -> Int {
    link(id)?.waiting.reduce(0) { $0 + $1.data.count } ?? 0
  }

  /// When ``tick(at:)`` wants to be called.
  package var deadline: Duration? {
    var times = links.values.compactMap { link -> Duration? in
      switch link.phase {
      case .up: nil
      case .draining(let time), .closing(let time): time
      }
    }
    if let attempt { times.append(attempt.cancelDeadline ?? attempt.deadline) }
    return times.min()
  }

  /// The time for something has come.
  package mutating func tick(at now: Duration) -> [Action] {
    var actions = attemptTick(at: now)
    for link in links.values {
      let handle = link.id.handle
      switch link.phase {
      case .draining(let time) where time <= now: actions += hangUp(handle, at: now)
      case .closing(let time) where time <= now: actions += remove(handle, .connectionTimeout)
      default: break
      }
    }
    return actions
  }

  func link(_ id: LinkID) -> Link? { links[id.handle].flatMap { $0.id == id ? $0 : nil } }

  mutating func ignore() { ignored &+= 1 }

  /// Adds a link; nil when there are too many.
  mutating func add(_ complete: LEConnectionComplete, isAnnounced: Bool) -> LinkID? {
    guard links.count < HCILinks.capacity else { return nil }
    serial += 1
    let id = LinkID(handle: complete.handle, serial: serial)
    links[complete.handle] = Link(
      id: id, peer: GATTPeer(complete.peer, complete.peerType), isCentral: complete.isCentral,
      isAnnounced: isAnnounced,
      assembler: L2CAPAssembler(longestPayload: settings.longestPayload))
    return id
  }

  /// The link is down.
  mutating func remove(_ handle: UInt16, _ status: HCIStatus) -> [Action] {
    guard let link = links.removeValue(forKey: handle) else { return [] }
    let down: [Action] =
      link.isAnnounced ? [.down(link.id, status, isOurs: link.phase != .up)] : []
    // What the controller kept for it is free now.
    return down + pump()
  }

  /// Ends a link, after what waits on it was sent.
  package mutating func disconnect(_ id: LinkID, at now: Duration) -> [Action] {
    guard let link = link(id), link.phase == .up else { return [] }
    links[id.handle]?.phase = .draining(until: now + HCILinks.farewellLimit)
    return link.waiting.isEmpty && link.inFlight == 0 ? hangUp(id.handle, at: now) : []
  }

  mutating func hangUp(_ handle: UInt16, at now: Duration) -> [Action] {
    links[handle]?.phase = .closing(until: now + HCILinks.disconnectLimit)
    links[handle]?.waiting = []
    // The reason that the peer gets: the user of the other side ended it.
    return [
      .command(
        HCICommand(
          HCIOpcode.disconnect, handle.octets + [HCIStatus.remoteUserTerminated.rawValue]))
    ]
  }

  /// Sends an ATT PDU.
  package mutating func send(_ pdu: [UInt8], on id: LinkID) -> [Action] {
    send(L2CAPFrame(channel: L2CAPChannel.attribute, payload: pdu), on: id)
  }

  mutating func send(_ frame: L2CAPFrame, on id: LinkID) -> [Action] {
    guard let link = link(id), link.phase == .up else { return [] }
    guard link.waiting.count < settings.queueLimit else {
      ignore()
      return []
    }
    links[id.handle]?.waiting += frame.fragments(for: id.handle, size: settings.buffers.size)
    let actions = pump()
    if let count = self.link(id)?.waiting.count, count >= HCILinks.congestion {
      links[id.handle]?.isCongested = true
    }
    return actions
  }

  /// Hands over what the controller has room for, link by link.
  mutating func pump() -> [Action] {
    var actions: [Action] = []
    var free = settings.buffers.count - links.values.reduce(0) { $0 + $1.inFlight }
    while free > 0, let handle = nextHandle() {
      turn = handle
      guard let packet = links[handle]?.waiting.removeFirst() else { break }
      links[handle]?.inFlight += 1
      free -= 1
      actions.append(.packet(packet))
      if let link = links[handle], link.isCongested, link.waiting.count <= HCILinks.relief {
        links[handle]?.isCongested = false
        if link.phase == .up { actions.append(.ready(link.id)) }
      }
    }
    return actions
  }

  private func nextHandle() -> UInt16? {
    let handles = links.values.compactMap { $0.waiting.isEmpty ? nil : $0.id.handle }
    return handles.filter { $0 > turn }.min() ?? handles.min()
  }
}
