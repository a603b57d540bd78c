import Bluetooth
import Diagnosis
import EventLoop
import HCIHost

/// Connects over the kernel's L2CAP sockets: on an adapter that no bluetoothd manages, without any
/// capability, while others scan with it. See ``L2CAPSocket`` for what Linux 6.1 does not survive.
actor L2CAPGATTClient: ReactorWaiting, GATTClient {
  nonisolated let reactor: Reactor

  private let host: any BluetoothHost
  private let adapter: @Sendable () -> (index: UInt16, address: BluetoothAddress)?
  private let afterConnection: @Sendable () async -> Void
  /// The connections that are made, there, or being ended.
  private var connections: [GATTPeer: Entry] = [:]
  private var isClosed = false
  /// Those who wait for the end of a connection.
  var waiting: [CheckedContinuation<Void, Never>] = []

  private struct Entry {
    let socket: L2CAPSocket
    /// Nil while the socket connects.
    var connection: ATTConnection?
  }

  /// - Parameters:
  ///   - adapter: N of hciN and the address, now; nil when there is none.
  ///   - afterConnection: called whenever a connection, or an attempt at one, has ended.
  init(
    reactor: Reactor, host: any BluetoothHost,
    adapter: @escaping @Sendable () -> (index: UInt16, address: BluetoothAddress)?,
    afterConnection: @escaping @Sendable () async -> Void = {}
  ) {
    self.reactor = reactor
    self.host = host
    self.adapter = adapter
    self.afterConnection = afterConnection
  }

  func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    let deadline = ContinuousClock.now + limits.connect
    await host.prepareATT()
    while let earlier = connections[peer] {
      guard let connection = earlier.connection, await connection.hasEnded else {
        throw error(.busy, "this program is connected to \(peer) already")
      }
      guard .now < deadline else {
        throw error(.busy, "the last connection to \(peer) is still being ended")
      }
      // It may have been forgotten since.
      await wait(until: deadline) { connections[peer]?.socket === earlier.socket }
    }
    var retries = ConnectRetries()
    while true {
      // Who asked for it knows of the first one.
      if retries.attempt > 1 { progress("connecting to \(peer), attempt \(retries.attempt)") }
      do throws(GATTError) {
        return try await attempt(peer, until: deadline, limits, progress)
      } catch {
        await afterConnection()
        try await retries.wait(after: error, to: peer, until: deadline, progress)
        await host.prepareATT()
      }
    }
  }

  private func error(_ kind: GATTError.Kind, _ reason: String) -> GATTError {
    GATTError(kind, during: "connect", reason)
  }

  private func attempt(
    _ peer: GATTPeer, until deadline: ContinuousClock.Instant, _ limits: GATTLimits,
    _ progress: @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    guard !isClosed else { throw error(.abortedLocally, "the client was closed") }
    guard let adapter = adapter() else {
      throw error(.adapterLost, "there is no adapter to connect with")
    }
    // Somebody else may have begun since it was looked for.
    if let other = connections[peer], other.connection == nil {
      throw error(.busy, "this program is connected to \(peer) already")
    }
    let socket = L2CAPSocket(reactor: reactor, host: host, adapter: adapter.index, peer: peer)
    connections[peer] = Entry(socket: socket)
    do throws(GATTError) {
      try await socket.connect(from: adapter.address, within: deadline - .now)
    } catch {
      connections[peer] = nil
      throw error
    }
    let connection = ATTConnection(reactor: reactor, bearer: socket, limits: limits) {
      [weak self] in Task { await self?.forget(peer, socket) }
    }
    connections[peer]?.connection = connection
    progress("connected to \(peer), finding out what it offers")
    try await connection.open(within: deadline - .now)
    return connection
  }

  private func forget(_ peer: GATTPeer, _ socket: L2CAPSocket) async {
    guard connections[peer]?.socket === socket else { return }
    connections[peer] = nil
    changed()
    await afterConnection()
  }

  /// Ends all connections and attempts.
  func disconnect() async {
    for entry in connections.values {
      if let connection = entry.connection {
        await connection.disconnect()
      } else {
        entry.socket.close()
      }
    }
  }

  func close() async {
    isClosed = true
    await disconnect()
  }
}
