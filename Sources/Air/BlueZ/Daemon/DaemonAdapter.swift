import Bluetooth
import SystemBus

/// An adapter as bluetoothd describes it.
struct DaemonAdapter: Hashable, Sendable {
  let index: UInt16
  let address: BluetoothAddress?
  let alias: String?
  let isPowered: Bool
  let isDiscovering: Bool
  let manufacturer: UInt16?
  let version: UInt8?

  /// The adapters that bluetoothd knows, by number. Its devices are not looked at, of which there
  /// can be very many.
  static func all(on bus: BusConnection) async throws(BusError) -> [DaemonAdapter] {
    var adapters: [DaemonAdapter] = []
    for name in try await bus.children(of: "/org/bluez", on: DaemonScan.service) {
      guard case .index(let index) = AdapterSelector(name) else { continue }
      if let adapter = try? await one(index, on: bus) { adapters.append(adapter) }
    }
    return adapters.sorted { $0.index < $1.index }
  }

  private static func one(
    _ index: UInt16, on bus: BusConnection
  ) async throws(BusError) -> DaemonAdapter {
    let properties = try await bus.properties(
      of: DaemonScan.adapterInterface, at: DaemonScan.path(of: index), on: DaemonScan.service)
    return DaemonAdapter(
      index: index,
      address: properties["Address"]?.text.flatMap { BluetoothAddress($0) },
      alias: properties["Alias"]?.text,
      isPowered: properties["Powered"]?.flag ?? false,
      isDiscovering: properties["Discovering"]?.flag ?? false,
      manufacturer: properties["Manufacturer"]?.integer.flatMap { UInt16(exactly: $0) },
      version: properties["Version"]?.integer.flatMap { UInt8(exactly: $0) })
  }
}
