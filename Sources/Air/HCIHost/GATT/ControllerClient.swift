package import Bluetooth
import Diagnosis
package import EventLoop

/// Connects with a controller that this program has for itself: `exclusive` and `h4:`. It shares the
/// controller with the scan, which waits while a connection is made and while one is up.
package actor ControllerClient: ReactorWaiting, GATTClient {
  package nonisolated let reactor: Reactor

  private struct Entry {
    let connection: ATTConnection
    let bearer: HCILinkBearer
  }

  /// Who has the controller now.
  private var holder: (any ControllerHolder)?
  private var connections: [GATTPeer: Entry] = [:]
  /// Peers that are being connected to.
  private var wanted: Set<GATTPeer> = []
  /// Whether somebody uses the controller to make a connection: it makes one at a time.
  private var isConnecting = false
  private var connecting: HCIController?
  private var isClosed = false
  /// Those who wait for any of this to change.
  package var waiting: [CheckedContinuation<Void, Never>] = []

  package init(reactor: Reactor) { self.reactor = reactor }

  /// Somebody has taken the controller.
  package func opened(_ holder: any ControllerHolder) {
    self.holder = holder
    changed()
  }

  /// Who had the controller has lost it, or lets go of it.
  package func closed(_ holder: any ControllerHolder) {
    if self.holder === holder { self.holder = nil }
  }

  package func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    let deadline = ContinuousClock.now + limits.connect
    while let earlier = connections[peer], await earlier.connection.hasEnded, !isClosed {
      guard .now < deadline else { throw busy("the last connection to \(peer) is being ended") }
      await wait(until: deadline) { connections[peer]?.bearer === earlier.bearer && !isClosed }
    }
    guard !isClosed else { throw closedError }
    guard connections[peer] == nil, wanted.insert(peer).inserted else {
      throw busy("this program is connected to \(peer) already")
    }
    defer { wanted.remove(peer) }
    var retries = ConnectRetries()
    while true {
      do throws(GATTError) {
        return try await attempt(retries.attempt, peer, until: deadline, limits, progress)
      } catch {
        if isClosed { throw closedError }
        try await retries.wait(after: error, to: peer, until: deadline, progress)
      }
    }
  }

  private func busy(_ reason: String) -> GATTError { GATTError(.busy, during: "connect", reason) }

  private var closedError: GATTError {
    GATTError(.abortedLocally, during: "connect", "the client was closed")
  }

  private func attempt(
    _ number: Int, _ peer: GATTPeer, until deadline: ContinuousClock.Instant,
    _ limits: GATTLimits, _ progress: @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    // Who asked for it knows of the first one.
    if number > 1 { progress("connecting to \(peer), attempt \(number)") }
    let connection = try await link(to: peer, until: deadline, limits)
    progress("connected to \(peer), finding out what it offers")
    try await connection.open(within: deadline - .now)
    return connection
  }

  /// Makes the connection, when nobody else does and the scan waits.
  private func link(
    to peer: GATTPeer, until deadline: ContinuousClock.Instant, _ limits: GATTLimits
  ) async throws(GATTError) -> ATTConnection {
    while true {
      while holder == nil || isConnecting, !isClosed, .now < deadline {
        await wait(until: deadline) { (holder == nil || isConnecting) && !isClosed }
      }
      guard !isClosed else { throw closedError }
      guard !isConnecting else { throw busy("the controller connects to another peer") }
      guard let holder else { throw gone("there is no controller to connect with") }
      isConnecting = true
      defer {
        isConnecting = false
        changed()
      }
      if let connection = try await link(to: peer, holder, until: deadline, limits) {
        return connection
      }
      // The next one may come in time.
      closed(holder)
    }
  }

  /// - Returns: nil when the controller had gone before the attempt began.
  private func link(
    to peer: GATTPeer, _ holder: any ControllerHolder, until deadline: ContinuousClock.Instant,
    _ limits: GATTLimits
  ) async throws(GATTError) -> ATTConnection? {
    guard await holder.isUsable else { return nil }
    guard let controller = await holder.hold("the scan waits for the connection to \(peer)") else {
      throw gone("the controller is gone")
    }
    // The controller may not have ended the last attempt yet, and may go instead.
    await controller.settle()
    let hasEnded = await controller.hasEnded
    let result =
      hasEnded ? nil : await link(to: peer, over: controller, until: deadline, limits)
    await holder.release()
    return try result?.get()
  }

  private func gone(_ reason: String) -> GATTError {
    GATTError(.adapterLost, during: "connect", reason)
  }

  private func link(
    to peer: GATTPeer, over controller: HCIController, until deadline: ContinuousClock.Instant,
    _ limits: GATTLimits
  ) async -> Result<ATTConnection, GATTError> {
    guard !isClosed else { return .failure(closedError) }
    connecting = controller
    defer { connecting = nil }
    let isWanted: @Sendable () -> Bool = { [self] in assumeIsolated { !$0.isClosed } }
    switch await controller.connect(to: peer, until: deadline, while: isWanted) {
    case .failure(let failure): return .failure(LinkFault.notMade(failure))
    case .success(let bearer):
      let connection = ATTConnection(reactor: reactor, bearer: bearer, limits: limits) {
        [weak self] in self?.assumeIsolated { $0.forget(peer, bearer) }
      }
      connections[peer] = Entry(connection: connection, bearer: bearer)
      return .success(connection)
    }
  }

  private func forget(_ peer: GATTPeer, _ bearer: HCILinkBearer) {
    if connections[peer]?.bearer === bearer { connections[peer] = nil }
    changed()
  }

  package func close() async {
    isClosed = true
    changed()
    await connecting?.cancelConnect()
    // All at once: each may take seconds.
    await withTaskGroup { group in
      for entry in connections.values {
        group.addTask { await entry.connection.disconnect() }
      }
    }
  }
}
