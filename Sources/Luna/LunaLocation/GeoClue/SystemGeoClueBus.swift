import EventLoop
import Synchronization
import SystemBus

/// GeoClue on the real system bus.
final class SystemGeoClueBus: GeoClueBus {
  private static let service = "org.freedesktop.GeoClue2"

  private let connection = Mutex<BusConnection?>(nil)

  func open(
    onLocation: @escaping @Sendable (String) -> Void, onLoss: @escaping @Sendable () -> Void
  ) async throws(BusError) {
    let lost = Mutex(false)
    let tellOnce: @Sendable () -> Void = {
      let isFirst = lost.withLock { lost in
        defer { lost = true }
        return !lost
      }
      if isFirst { onLoss() }
    }
    let bus = BusConnection(
      onSignal: { signal in
        if signal.isSignal("org.freedesktop.GeoClue2.Client", "LocationUpdated") {
          if let path = signal.arguments.last?.text { onLocation(path) }
        } else if signal.isBroadcast,
          signal.isSignal("org.freedesktop.DBus", "NameOwnerChanged")
        {
          // GeoClue sends locations to one connection; what the bus says is for all.
          let names = signal.arguments.compactMap(\.text)
          // The old owner has gone; one that just came is ours to start with.
          if names.first == SystemGeoClueBus.service, names.count == 3, !names[1].isEmpty {
            tellOnce()
          }
        }
      }, onClose: tellOnce)
    try await bus.open()
    connection.withLock { $0 = bus }
    try await bus.addMatch(
      "type='signal',sender='\(SystemGeoClueBus.service)',"
        + "interface='org.freedesktop.GeoClue2.Client',member='LocationUpdated'")
    try await bus.addMatch(
      "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',"
        + "arg0='\(SystemGeoClueBus.service)'")
  }

  private func bus() throws(BusError) -> BusConnection {
    guard let bus = connection.withLock({ $0 }) else {
      throw BusError(name: BusError.disconnected, message: "", operation: "call")
    }
    return bus
  }

  func call(
    _ path: String, _ interface: String, _ method: String
  ) async throws(BusError) -> [BusValue] {
    // GeoClue asks an agent, and so perhaps a person, for consent.
    try await bus().call(
      SystemGeoClueBus.service, path, interface, method, within: .seconds(60))
  }

  func set(
    _ name: String, of interface: String, at path: String, to value: BusValue
  ) async throws(BusError) {
    try await bus().setProperty(
      name, of: interface, at: path, on: SystemGeoClueBus.service, to: value)
  }

  func properties(of interface: String, at path: String) async throws(BusError) -> BusValue {
    try await bus().properties(of: interface, at: path, on: SystemGeoClueBus.service)
  }

  func close() async {
    let bus = connection.withLock { bus in
      defer { bus = nil }
      return bus
    }
    await bus?.close()
  }
}
