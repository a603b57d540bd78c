import Bluetooth
import CLinux
import EventLoop
import Glibc
import HCIHost

/// An ATT bearer of the kernel's: an L2CAP socket on the fixed channel of the Attribute Protocol. No
/// capability is needed; the adapter has to be powered.
///
/// Linux 6.1 crashes when such a socket is closed after its adapter has gone down while the socket
/// was connecting or connected (seen with 6.1.192). So these sockets are closed *before* this
/// program powers an adapter off or takes a step to recover one: ``RadioClient`` sees to it. Nothing
/// can be done when somebody else takes the adapter away.
actor L2CAPSocket: ReactorActor, ATTBearer {
  /// The most octets that an ATT PDU has here; the kernel cuts off longer ones.
  private static let longest = 1024
  /// PDUs that the kernel did not take yet; with so many the owner should wait.
  private static let enough = 8
  /// With so many the link is ended: the peer takes nothing any more, and goes on asking.
  static let queueLimit = 256

  nonisolated let reactor: Reactor

  /// How long the end of a link is waited for: the kernel keeps one for two seconds after the last
  /// socket was closed (HCI_DISCONN_TIMEOUT), then it takes the peer's answer.
  private let endLimit: Duration

  private let host: any BluetoothHost
  private let adapter: UInt16
  private let peer: GATTPeer
  private var descriptor: Int32 = -1
  private var watch: ReactorWatch?
  private var timer: ReactorTimer?
  private var connecting: CheckedContinuation<GATTError?, Never>?
  private weak var owner: (any ATTBearerOwner)?
  private var unsent: [[UInt8]] = []
  private var isClosed = false

  /// A socket that is not connected yet.
  ///
  /// - Parameters:
  ///   - adapter: N of hciN.
  ///   - endLimit: how long the end of its link is waited for.
  init(
    reactor: Reactor, host: any BluetoothHost, adapter: UInt16, peer: GATTPeer,
    endLimit: Duration = .seconds(4)
  ) {
    self.reactor = reactor
    self.endLimit = endLimit
    self.host = host
    self.adapter = adapter
    self.peer = peer
  }

  /// Connects from the adapter with the address `own`.
  ///
  /// - Throws: ``GATTError``, of kind `outOfRange` when `limit` has passed.
  func connect(
    from own: BluetoothAddress, within limit: Duration
  ) async throws(GATTError) {
    guard limit > .zero else { throw L2CAPSocket.silence(of: peer) }
    // Opened within: between lines before, it could be closed.
    let failure = await withCheckedContinuation { continuation in
      connecting = continuation
      attempt(from: own, within: limit)
    }
    if let failure {
      // Takes the attempt back.
      shut()
      throw failure
    }
  }

  private func attempt(from own: BluetoothAddress, within limit: Duration) {
    guard !isClosed else { return connected(L2CAPSocket.closed) }
    do throws(SystemCallError) {
      descriptor = try open(own, limit)
    } catch {
      return connected(L2CAPSocket.error(error, of: peer))
    }
    watch = onReady(descriptor, for: .writable) { socket, _ in socket.connected() }
    timer = schedule(after: limit) { $0.connected(L2CAPSocket.silence(of: $0.peer)) }
  }

  /// The kernel wants to know whether an adapter's address is public. Adapters without a public one
  /// have a static address.
  private func open(
    _ own: BluetoothAddress, _ limit: Duration
  ) throws(SystemCallError) -> Int32 {
    do throws(SystemCallError) {
      return try host.connectATT(from: own, isPublic: true, to: peer, within: limit)
    } catch {
      guard error.errno == EHOSTUNREACH, own.randomKind == .static else { throw error }
      return try host.connectATT(from: own, isPublic: false, to: peer, within: limit)
    }
  }

  private func connected() {
    let error = luna_socket_error(descriptor)
    connected(
      error == 0 ? nil : L2CAPSocket.error(SystemCallError("connect", error), of: peer))
  }

  private func connected(_ error: GATTError?) {
    timer?.cancel()
    timer = nil
    watch?.cancel()
    watch = nil
    connecting?.resume(returning: error)
    connecting = nil
  }

  private static var closed: GATTError {
    GATTError(.abortedLocally, during: "connect", "this side ended the connection")
  }

  static func silence(of peer: GATTPeer) -> GATTError {
    GATTError(
      .outOfRange, during: "connect",
      "\(peer) does not answer: it is out of range, or accepts no connections now")
  }

  /// What the kernel makes of HCI's error codes: net/bluetooth/lib.c, bt_to_errno.
  static func error(_ error: SystemCallError, of peer: GATTPeer) -> GATTError {
    let kind: GATTError.Kind
    switch error.errno {
    case ETIMEDOUT, EHOSTDOWN: return silence(of: peer)
    case ECONNRESET, ENOTCONN, EPIPE: kind = .abortedByPeer
    case ECONNREFUSED, EACCES, EPERM: kind = .refused
    case EBUSY, EALREADY, EISCONN, EMLINK, ENOMEM, EADDRINUSE: kind = .busy
    case EHOSTUNREACH, ENETDOWN, ENODEV, EAFNOSUPPORT, EPROTONOSUPPORT, EADDRNOTAVAIL:
      kind = .adapterLost
    default: kind = .abortedLocally
    }
    return GATTError(kind, during: "connect", "the kernel says: \(error)")
  }

  nonisolated func start(_ owner: any ATTBearerOwner) { assumeIsolated { $0.begin(owner) } }
  nonisolated func send(_ pdu: [UInt8]) { assumeIsolated { $0.transmit(pdu) } }
  nonisolated var isCongested: Bool {
    assumeIsolated { $0.unsent.count >= L2CAPSocket.enough }
  }
  nonisolated func close() {
    assumeIsolated {
      $0.isClosed = true
      $0.end(L2CAPSocket.closed, isLinked: true)
    }
  }

  private func begin(_ owner: any ATTBearerOwner) {
    self.owner = owner
    guard descriptor >= 0 else {
      return owner.bearerEnded(
        GATTError(.abortedLocally, during: "connect", "the connection has ended already"))
    }
    watch = onReady(descriptor, for: .readable) { $0.ready($1) }
  }

  private func ready(_ ready: Interest) {
    if ready.contains(.writable) { sendUnsent() }
    if !ready.isDisjoint(with: [.readable, .failed, .hungUp]) { receive() }
  }

  private func receive() {
    var outcome = 0
    let pdu = [UInt8](unsafeUninitializedCapacity: L2CAPSocket.longest) { buffer, count in
      outcome = read(descriptor, buffer.baseAddress, buffer.count)
      count = max(0, outcome)
    }
    if outcome > 0 { return owner?.received(pdu) ?? () }
    let error = outcome == 0 ? luna_socket_error(descriptor) : errno
    if outcome < 0 && (error == EAGAIN || error == EINTR) { return }
    end(ended(error))
  }

  private func ended(_ error: Int32) -> GATTError {
    // The kernel tells the end of its adapters as one that it wanted itself.
    guard host.isUp(adapter) else {
      return GATTError(.adapterLost, during: "connect", "hci\(adapter) is off or gone")
    }
    switch error {
    case ECONNABORTED:
      return GATTError(.abortedLocally, during: "connect", "this machine ended the connection")
    case ETIMEDOUT:
      return GATTError(.abortedByPeer, during: "connect", "the peer is not heard any more")
    default: return GATTError(.abortedByPeer, during: "connect", "the peer ended the connection")
    }
  }

  private func transmit(_ pdu: [UInt8]) {
    guard descriptor >= 0 else { return }
    guard unsent.count < L2CAPSocket.queueLimit else {
      return end(
        GATTError(
          .timedOut, during: "connect",
          "the peer does not take what is sent: \(unsent.count) messages wait"), isLinked: true)
    }
    unsent.append(pdu)
    sendUnsent()
  }

  private func sendUnsent() {
    let wasCongested = unsent.count >= L2CAPSocket.enough
    while let pdu = unsent.first {
      let sent = luna_send(descriptor, pdu, pdu.count)
      if sent == -EAGAIN { break }
      unsent.removeFirst()
      // The end of the connection is told where it is read.
    }
    watch?.interest = unsent.isEmpty ? .readable : [.readable, .writable]
    if wasCongested && unsent.count < L2CAPSocket.enough { owner?.bearerIsReady() }
  }

  /// - Parameter isLinked: whether the link is still there, as far as is known.
  private func end(_ error: GATTError, isLinked: Bool = false) {
    connected(error)
    guard descriptor >= 0 else { return }
    shut()
    unsent = []
    let owner = owner
    self.owner = nil
    tell(owner, error, by: .now + (isLinked ? endLimit : .zero))
  }

  /// Tells the owner when the link is down, too: a new socket would otherwise join the old link, on
  /// which the peer remembers what was agreed.
  private func tell(
    _ owner: (any ATTBearerOwner)?, _ error: GATTError, by deadline: ContinuousClock.Instant
  ) {
    let links = (try? host.links(of: adapter)) ?? []
    guard .now < deadline, links.contains(peer.address) else {
      return owner?.bearerEnded(error) ?? ()
    }
    _ = reactor.schedule(after: .milliseconds(50)) {
      self.assumeIsolated { $0.tell(owner, error, by: deadline) }
    }
  }

  private func shut() {
    watch?.cancel()
    watch = nil
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }
}
