package import Bluetooth
import Diagnosis
package import EventLoop
package import PeripheralHost

/// A controller that this program has for itself, as everybody who uses it meets it: commands are
/// sent one by one and answered, links carry ATT PDUs, and events go where they are wanted.
///
/// It runs on its reactor's thread; who runs there too need not wait for it (`assumeIsolated`).
package actor HCIController: ReactorActor {
  /// Gets the answer to a command; nil when none came in time.
  package typealias Answer = @Sendable (HCICommandReply?) -> Void

  /// What happens without having been asked for.
  package struct Handlers: Sendable {
    /// Gets every event but the answers to commands, from its code on, and the time in microseconds
    /// since the Unix epoch.
    package var onEvent: @Sendable (Span<UInt8>, Int64) -> Void
    /// Gets every packet, before anything else does.
    package var onPacket: @Sendable () -> Void
    /// Called after a batch of packets.
    package var onBatch: @Sendable () -> Void
    /// Called once when the controller is gone, or cannot be used any more; nil when the other side
    /// has closed the channel.
    package var onEnd: @Sendable (SourceError?) -> Void
    /// Whether a recording should wait, since its reports are not taken fast enough.
    package var isCongested: @Sendable () -> Bool
    /// Called when there is neither a link nor an attempt at one any more.
    package var onIdle: @Sendable () -> Void

    package init(
      onEvent: @escaping @Sendable (Span<UInt8>, Int64) -> Void = { _, _ in },
      onPacket: @escaping @Sendable () -> Void = {}, onBatch: @escaping @Sendable () -> Void = {},
      onEnd: @escaping @Sendable (SourceError?) -> Void = { _ in },
      isCongested: @escaping @Sendable () -> Bool = { false },
      onIdle: @escaping @Sendable () -> Void = {}
    ) {
      self.onEvent = onEvent
      self.onPacket = onPacket
      self.onBatch = onBatch
      self.onEnd = onEnd
      self.isCongested = isCongested
      self.onIdle = onIdle
    }
  }

  /// How long a controller may take to answer.
  static let answerLimit = Duration.seconds(3)
  /// The PDUs that are kept for an owner who has not come yet.
  private static let backlogLimit = 16

  private struct Client {
    let bearer: HCILinkBearer
    var owner: (any ATTBearerOwner)?
    var backlog: [[UInt8]] = []
  }

  package nonisolated let reactor: Reactor

  private let channel: HCIChannel
  private var handlers = Handlers()
  private var queue = HCICommandQueue()
  private var answers: [Int: Answer] = [:]
  private var serial = 0
  private var answerTimer: ReactorTimer?

  private let epoch = ContinuousClock.now
  private var links: HCILinks?
  private var clients: [LinkID: Client] = [:]
  /// Why links are down that nobody owned yet.
  private var ended: [LinkID: GATTError] = [:]
  private var connecting: CheckedContinuation<Result<HCILinkBearer, LinkFailure>, Never>?
  private var quieting: [CheckedContinuation<Void, Never>] = []
  /// Those who wait until another attempt to connect can be made.
  private var settling: [CheckedContinuation<Void, Never>] = []
  private var linkTimer: ReactorTimer?
  private var wasIdle = true
  private(set) var hasEnded = false

  package init(_ channel: sending HCIChannel, on reactor: Reactor) {
    self.channel = channel
    self.reactor = reactor
  }

  /// Bytes that belonged to no packet.
  package var garbage: UInt64 { channel.garbage }

  /// Begins to receive.
  package func start(_ handlers: Handlers) {
    self.handlers = handlers
    channel.onPacket = { [weak self] type, bytes, time in
      self?.assumeIsolated { $0.receive(type, bytes, time) }
    }
    channel.onBatch = { [weak self] in self?.assumeIsolated { $0.handlers.onBatch() } }
    channel.onEnd = { [weak self] error in self?.assumeIsolated { $0.end(error) } }
    channel.isCongested = handlers.isCongested
    channel.resume()
  }

  /// Lets go of the controller. Links end at once; nothing is called any more but their owners.
  package func close() {
    handlers = Handlers()
    end(SourceError(.lost, "the controller was closed"))
    channel.close()
  }

  private func end(_ error: SourceError?) {
    guard !hasEnded else { return }
    hasEnded = true
    answerTimer?.cancel()
    linkTimer?.cancel()
    let answers = answers.values
    self.answers = [:]
    for answer in answers { answer(nil) }
    let reason = error?.reason ?? "the controller closed the connection"
    connected(.failure(.lost(reason)))
    let clients = clients.values
    self.clients = [:]
    for client in clients {
      client.owner?.bearerEnded(GATTError(.adapterLost, during: "connect", reason))
    }
    quieted()
    handlers.onEnd(error)
  }

  /// Sends a command when its turn has come.
  package func send(_ command: HCICommand, _ answer: @escaping Answer) {
    guard !hasEnded else { return answer(nil) }
    serial += 1
    answers[serial] = answer
    guard queue.add(command, as: serial) else {
      answers[serial] = nil
      answer(nil)
      return end(SourceError(.lost, "the controller leaves too many commands unanswered"))
    }
    sendNext()
  }

  private func sendNext() {
    if let command = queue.next() {
      transmit(command.h4Packet)
      waitForAnswer()
    } else if queue.isBusy, answerTimer == nil {
      waitForAnswer()
    }
  }

  private func waitForAnswer() {
    answerTimer?.cancel()
    answerTimer = schedule(after: HCIController.answerLimit) { $0.answerTimedOut() }
  }

  private func answerTimedOut() {
    answerTimer = nil
    guard let number = queue.timedOut() else { return }
    answers.removeValue(forKey: number)?(nil)
    sendNext()
  }

  private func transmit(_ packet: [UInt8]) {
    guard !hasEnded else { return }
    do throws(SourceError) { try channel.send(packet) } catch { end(error) }
  }

  private func receive(_ type: HCIPacketType, _ bytes: Span<UInt8>, _ time: Int64) {
    guard !hasEnded else { return }
    handlers.onPacket()
    switch type {
    case .event: receive(event: bytes, time)
    case .acl:
      if links != nil, let packet = HCIACLPacket(bytes) {
        perform(links?.receive(packet) ?? [])
      }
    case .command, .synchronous, .isochronous: break
    }
  }

  private func receive(event bytes: Span<UInt8>, _ time: Int64) {
    guard bytes.count >= 2 else { return }
    switch bytes[0] {
    case HCIEventCode.commandComplete, HCIEventCode.commandStatus:
      if let reply = HCICommandReply(event: bytes) { answered(reply) }
    case HCIEventCode.hardwareError:
      end(SourceError(.lost, "the controller reports a fault of its hardware"))
    default:
      handlers.onEvent(bytes, time)
      if links != nil, HCIController.concernsLinks(bytes) {
        perform(links?.receive(event: bytes, at: now) ?? [])
      }
    }
  }

  /// Reports are most of the events, and no business of the links.
  private static func concernsLinks(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= 3, bytes[0] == HCIEventCode.leMeta else { return true }
    return bytes[2] != HCIEventCode.leAdvertisingReport
      && bytes[2] != HCIEventCode.leExtendedAdvertisingReport
  }

  private func answered(_ reply: HCICommandReply) {
    if let number = queue.receive(reply) {
      answerTimer?.cancel()
      answerTimer = nil
      answers.removeValue(forKey: number)?(reply)
    }
    sendNext()
  }

  private var now: Duration { .now - epoch }

  /// From now on links can be asked for.
  package func useLinks(_ settings: HCILinks.Settings) { links = HCILinks(settings: settings) }

  /// Whether there is neither a link nor an attempt at one.
  package var isIdle: Bool { links?.isIdle ?? true }

  /// Connects to a peer. The controller must not scan meanwhile.
  ///
  /// - Parameter isWanted: whether that is so still when it begins; asked on the reactor's thread.
  func connect(
    to peer: GATTPeer, until deadline: ContinuousClock.Instant,
    while isWanted: @Sendable () -> Bool
  ) async -> Result<HCILinkBearer, LinkFailure> {
    // Looked for within: between lines before, the controller could go, or somebody else connect.
    return await withCheckedContinuation { continuation in
      guard !hasEnded, links != nil else {
        return continuation.resume(returning: .failure(.lost("the controller is gone")))
      }
      guard connecting == nil else { return continuation.resume(returning: .failure(.busy)) }
      guard isWanted() else { return continuation.resume(returning: .failure(.timedOut)) }
      connecting = continuation
      perform(links?.connect(to: peer, until: deadline - epoch) ?? [])
    }
  }

  /// Waits until the last attempt to connect is over for the controller too.
  func settle() async {
    while links?.isConnecting == true, !hasEnded {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        // It may be over since it was looked at.
        guard links?.isConnecting == true, !hasEnded else { return continuation.resume() }
        settling.append(continuation)
      }
    }
  }

  /// Takes back what ``connect(to:until:)`` wants.
  func cancelConnect() { perform(links?.cancel(at: now) ?? []) }

  /// Takes back the attempt to connect, ends every link, and waits until that is done.
  package func disconnectAll(within limit: Duration) async {
    guard !isIdle, !hasEnded else { return }
    cancelConnect()
    for client in clients.values { close(client.bearer.id) }
    let deadline = ContinuousClock.now + limit
    let timer = schedule(after: limit) { $0.resume(&$0.quieting) }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      guard !isIdle, !hasEnded, .now < deadline else { return continuation.resume() }
      quieting.append(continuation)
    }
    timer.cancel()
  }

  private func quieted() {
    resume(&quieting)
    resume(&settling)
  }

  private func resume(_ waiting: inout [CheckedContinuation<Void, Never>]) {
    let continuations = waiting
    waiting = []
    for continuation in continuations { continuation.resume() }
  }

  private func connected(_ result: Result<HCILinkBearer, LinkFailure>) {
    let continuation = connecting
    connecting = nil
    continuation?.resume(returning: result)
  }

  private func perform(_ actions: [HCILinks.Action]) {
    for action in actions { perform(action) }
    scheduleTick()
    guard let links, !hasEnded else { return }
    if !links.isConnecting { resume(&settling) }
    guard links.isIdle != wasIdle else { return }
    wasIdle = links.isIdle
    if links.isIdle {
      quieted()
      handlers.onIdle()
    }
  }

  private func perform(_ action: HCILinks.Action) {
    switch action {
    case .command(let command):
      send(command) { [weak self] reply in
        self?.assumeIsolated { $0.replied(to: command, reply) }
      }
    case .packet(let packet): transmit(packet.h4Packet)
    case .connected(let id): if let bearer = add(id) { connected(.success(bearer)) }
    case .failed(let failure): connected(.failure(failure))
    // Nobody is let in.
    case .accepted, .advertisingSet: break
    case .received(let id, let pdu): received(pdu, on: id)
    case .ready(let id): clients[id]?.owner?.bearerIsReady()
    case .down(let id, let status, let isOurs): down(id, LinkFault.ended(status, isOurs: isOurs))
    case .stuck(let reason): end(SourceError(.lost, reason))
    }
  }

  private func replied(to command: HCICommand, _ reply: HCICommandReply?) {
    guard !hasEnded else { return }
    perform(links?.replied(to: command, reply, at: now) ?? [])
  }

  private func add(_ id: LinkID) -> HCILinkBearer? {
    guard let peer = links?.peer(of: id) else { return nil }
    let bearer = HCILinkBearer(id, peer: peer, of: self)
    clients[id] = Client(bearer: bearer)
    return bearer
  }

  private func received(_ pdu: [UInt8], on id: LinkID) {
    if let owner = clients[id]?.owner { return owner.received(pdu) }
    guard let count = clients[id]?.backlog.count, count < HCIController.backlogLimit else { return }
    clients[id]?.backlog.append(pdu)
  }

  private func down(_ id: LinkID, _ error: GATTError) {
    guard let client = clients.removeValue(forKey: id) else { return }
    if let owner = client.owner { return owner.bearerEnded(error) }
    if ended.count >= HCIController.backlogLimit { ended = [:] }
    ended[id] = error
  }

  private func scheduleTick() {
    linkTimer?.cancel()
    linkTimer = nil
    guard !hasEnded, let deadline = links?.deadline else { return }
    linkTimer = schedule(after: max(.zero, deadline - now)) { $0.tick() }
  }

  private func tick() {
    linkTimer = nil
    perform(links?.tick(at: now) ?? [])
  }

  func start(_ id: LinkID, _ owner: any ATTBearerOwner) {
    guard let client = clients[id] else {
      let error = ended.removeValue(forKey: id)
      return owner.bearerEnded(
        error ?? GATTError(.adapterLost, during: "connect", "the controller is gone"))
    }
    clients[id]?.owner = owner
    clients[id]?.backlog = []
    for pdu in client.backlog { owner.received(pdu) }
  }

  func send(_ pdu: [UInt8], on id: LinkID) { perform(links?.send(pdu, on: id) ?? []) }

  func isCongested(_ id: LinkID) -> Bool { links?.isCongested(id) ?? false }

  func close(_ id: LinkID) { perform(links?.disconnect(id, at: now) ?? []) }
}
