import Bluetooth
import Synchronization
import VirtualRadio

/// Connects to the trackers of a virtual room, and to accessories of other makers.
final class VirtualGATTClient: GATTClient {
  private let room: TrackerRoom
  private let settings: VirtualLinkSettings
  private let accessory: @Sendable (BluetoothAddress) -> VirtualAccessory?
  private let connections = Mutex<[ObjectIdentifier: Open]>([:])

  /// A connection, and whether it was not ended.
  private struct Open {
    let connection: any GATTConnection
    let isOpen: @Sendable () -> Bool
  }

  /// - Parameter accessory: who of other makers has an address now.
  init(
    _ room: TrackerRoom, _ settings: VirtualLinkSettings,
    accessory: @escaping @Sendable (BluetoothAddress) -> VirtualAccessory?
  ) {
    self.room = room
    self.settings = settings
    self.accessory = accessory
  }

  /// Connects as soon as the tracker takes connections.
  func connect(
    to peer: GATTPeer, _ limits: GATTLimits, progress: @escaping @Sendable (String) -> Void
  ) async throws(GATTError) -> any GATTConnection {
    guard room.isOpen else {
      throw GATTError(.adapterLost, during: "connect", "the virtual radio was not started")
    }
    let end = room.uptime + VirtualGATTClient.milliseconds(limits.connect)
    while true {
      guard !Task.isCancelled else { throw .virtual(.abortedLocally, during: "connect") }
      let changes = room.changes.count
      let link = VirtualLink()
      if peer.addressType == .random,
        let (body, hardware) = await room.connect(link, to: peer.address, mtu: settings.mtu)
      {
        let connection = VirtualGATTConnection(
          room, body, link, settings, limits, hardware: hardware)
        keep(Open(connection: connection) { connection.isOpen })
        return connection
      }
      if peer.addressType == .random, let found = accessory(peer.address),
        let connection = room.connect(to: found, settings, limits)
      {
        keep(Open(connection: connection) { connection.isOpen })
        return connection
      }
      guard room.uptime < end else {
        throw GATTError(
          .outOfRange, during: "connect",
          "no tracker took a connection at \(peer) within \(limits.connect.roundedSeconds) s")
      }
      await room.waitForChange(after: changes, until: end)
    }
  }

  private func keep(_ new: Open) {
    connections.withLock { open in
      open = open.filter { $0.value.isOpen() }
      open[ObjectIdentifier(new.connection)] = new
    }
  }

  func close() async {
    let all = connections.withLock { open in
      defer { open = [:] }
      return Array(open.values)
    }
    for open in all { await open.connection.disconnect() }
  }

  static func milliseconds(_ duration: Duration) -> Int64 {
    min(duration.wholeMilliseconds, .max / 4)
  }
}
