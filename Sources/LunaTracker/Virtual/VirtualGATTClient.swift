import Bluetooth
import Synchronization

/// Connects to the trackers of a virtual room.
final class VirtualGATTClient: GATTClient {
  /// How often it looks whether a tracker takes connections.
  private static let lookInterval = Duration.milliseconds(50)

  private let room: TrackerRoom
  private let settings: VirtualLinkSettings
  private let connections = Mutex<[ObjectIdentifier: VirtualGATTConnection]>([:])

  init(_ room: TrackerRoom, _ settings: VirtualLinkSettings) {
    self.room = room
    self.settings = settings
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
      let link = VirtualLink()
      if peer.addressType == .random,
        let (body, hardware) = room.connect(link, to: peer.address, mtu: settings.mtu)
      {
        let connection = VirtualGATTConnection(
          room, body, link, settings, limits, hardware: hardware)
        connections.withLock { open in
          open = open.filter { $0.value.isOpen }
          open[ObjectIdentifier(connection)] = connection
        }
        return connection
      }
      guard room.uptime < end else {
        throw GATTError(
          .outOfRange, during: "connect",
          "no tracker took a connection at \(peer) within \(limits.connect.components.seconds) s")
      }
      await room.sleep(for: VirtualGATTClient.lookInterval)
    }
  }

  func close() async {
    let all = connections.withLock { open in
      defer { open = [:] }
      return Array(open.values)
    }
    for connection in all { await connection.disconnect() }
  }

  static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds.multipliedReportingOverflow(by: 1000).overflow
      ? .max / 4 : min(seconds * 1000 + attoseconds / 1_000_000_000_000_000, .max / 4)
  }
}
