import Bluetooth
import EventLoop

/// Connects through bluetoothd (org.bluez on D-Bus): what every user may do, beside other programs.
/// No pairing is offered: there is no agent of ours, and what a peer shows to paired ones only is
/// refused.
actor DaemonGATTClient: ReactorWaiting, GATTClient {
  nonisolated let reactor: Reactor

  private let host: any BluetoothHost
  private let adapter: @Sendable () -> UInt16?
  private let afterConnection: @Sendable () async -> Void
  /// The connections that are made, there, or being ended.
  private var connections: [BluetoothAddress: DaemonConnection] = [:]
  private var isClosed = false
  /// Those who wait for the end of a connection.
  var waiting: [CheckedContinuation<Void, Never>] = []

  /// - Parameters:
  ///   - adapter: N of hciN now; nil when there is none.
  ///   - afterConnection: called whenever a connection, or an attempt at one, has ended.
  init(
    reactor: Reactor, host: any BluetoothHost, adapter: @escaping @Sendable () -> UInt16?,
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
    let start = ContinuousClock.now
    while let earlier = connections[peer.address] {
      // Two seconds of bluetoothd's own, when a connection is being ended.
      guard await earlier.isEnding else {
        throw GATTError(.busy, during: "connect", "this program is connected to \(peer) already")
      }
      guard .now - start < limits.connect else {
        throw GATTError(
          .busy, during: "connect", "the last connection to \(peer) is still being ended")
      }
      // It may have been forgotten since.
      await wait(until: start + limits.connect) { connections[peer.address] === earlier }
    }
    guard !isClosed else {
      throw GATTError(.abortedLocally, during: "connect", "the client was closed")
    }
    guard let adapter = adapter() else {
      throw GATTError(.adapterLost, during: "connect", "there is no adapter to connect with")
    }
    var rest = limits
    rest.connect -= .now - start
    let connection = DaemonConnection(
      reactor: reactor, host: host, adapter: adapter, peer: peer, limits: rest,
      progress: progress, onEnd: { [weak self] in await self?.forget(peer) })
    connections[peer.address] = connection
    // The limit is for the caller's wait: after an error, what has to be put right may take longer.
    try await connection.open()
    return connection
  }

  private func forget(_ peer: GATTPeer) async {
    connections[peer.address] = nil
    changed()
    await afterConnection()
  }

  func close() async {
    isClosed = true
    for connection in connections.values { await connection.disconnect() }
  }
}
