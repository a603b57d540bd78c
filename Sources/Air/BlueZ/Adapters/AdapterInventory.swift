import Bluetooth
import EventLoop
import HCIHost
import SystemBus

/// Puts together what the kernel's management, its ioctls, sysfs and bluetoothd tell about the
/// adapters.
struct AdapterInventory: Sendable {
  /// What bluetoothd tells.
  private struct Daemon {
    var adapters: [DaemonAdapter] = []
    var channels: [UInt16: [String]] = [:]
  }

  let reactor: Reactor
  let host: any BluetoothHost

  /// The adapters, by number.
  func adapters() async throws(SourceError) -> [Adapter] {
    let daemon = await askDaemon()
    let mgmt = MgmtSocket(reactor: reactor)
    do throws(SystemCallError) {
      try await mgmt.open(on: host)
    } catch {
      // A container without Bluetooth sockets may still reach bluetoothd.
      guard let daemon, !daemon.adapters.isEmpty else {
        throw AdapterProblem.socket(error, for: "ask the kernel about adapters", on: host)
      }
      return daemon.adapters.map { describe($0, daemon) }
    }
    do throws(SourceError) {
      let adapters = try await all(mgmt, daemon)
      await mgmt.close()
      return adapters
    } catch {
      await mgmt.close()
      throw error
    }
  }

  /// The adapters as the kernel alone tells, by number.
  func managed(by mgmt: MgmtSocket) async throws(SourceError) -> [Adapter] {
    try await all(mgmt, nil)
  }

  private func all(_ mgmt: MgmtSocket, _ daemon: Daemon?) async throws(SourceError) -> [Adapter] {
    let managed = try await AdapterFinder(mgmt: mgmt, host: host).all()
    let unconfigured = MgmtPacket.list(
      (try? await mgmt.send(MgmtOpcode.readUnconfiguredIndexList)) ?? [])
    var adapters: [Adapter] = []
    for found in managed { adapters.append(await describe(found, mgmt, daemon)) }
    for index in Set((try? host.devices()) ?? []).union(unconfigured)
    where !managed.contains(where: { $0.index == index }) {
      let isConfigured = !unconfigured.contains(index)
      var adapter = Adapter(index: index, state: isConfigured ? .exclusive : .unconfigured)
      describeHardware(&adapter)
      if isConfigured {
        adapter.users = BluetoothSockets.holders(on: host).filter { !$0.hasPrefix("bluetoothd ") }
      }
      adapters.append(adapter)
    }
    return adapters.sorted { $0.index < $1.index }
  }

  private func describe(
    _ found: AdapterFinder.Found, _ mgmt: MgmtSocket, _ daemon: Daemon?
  ) async -> Adapter {
    let information = found.information
    var adapter = Adapter(
      index: found.index, state: state(found.index, information.current.contains(.powered)))
    adapter.address = information.address
    adapter.alias = information.name
    adapter.manufacturer = information.manufacturer
    adapter.hciVersion = information.hciVersion
    if information.supported.contains(.lowEnergy) { adapter.features.insert(.lowEnergy) }
    describeHardware(&adapter)
    await describePHYs(&adapter, mgmt, daemon)
    if let known = daemon?.adapters.first(where: { $0.index == found.index }) {
      adapter.alias = known.alias ?? adapter.alias
      adapter.isDiscovering = known.isDiscovering
      adapter.users = ["bluetoothd"]
    }
    return adapter
  }

  private func state(_ index: UInt16, _ isPowered: Bool) -> AdapterState {
    switch RFKill.state(of: index, on: host) {
    case .hard: .hardBlocked
    case .soft: .softBlocked
    case .unblocked: isPowered ? .up : .down
    }
  }

  private func describeHardware(_ adapter: inout Adapter) {
    adapter.bus = (try? host.bus(of: adapter.index)).map { AdapterBus(kernelCode: $0) }
    adapter.driver = AdapterHardware.driver(of: adapter.index, on: host)
  }

  private func describePHYs(
    _ adapter: inout Adapter, _ mgmt: MgmtSocket, _ daemon: Daemon?
  ) async {
    if let phys = try? await mgmt.send(MgmtOpcode.getPHYConfiguration, to: adapter.index),
      let advertising = try? await mgmt.send(
        MgmtOpcode.readAdvertisingFeatures, to: adapter.index),
      phys.count >= 4, advertising.count >= 4
    {
      let supported = MgmtPHYs(rawValue: MgmtPacket.number32(phys.span, 0))
      adapter.features.insert(.physKnown)
      if supported.contains(.le2MReceive) { adapter.features.insert(.phy2M) }
      if supported.contains(.leCodedReceive) { adapter.features.insert(.phyCoded) }
      // Bit 7 of the supported flags: LE 1M on the secondary channel.
      if advertising[0] & 1 << 7 != 0 { adapter.features.insert(.extendedAdvertising) }
    } else if let channels = daemon?.channels[adapter.index] {
      describePHYs(&adapter, channels)
    }
  }

  private func askDaemon() async -> Daemon? {
    let bus = BusConnection(reactor: reactor)
    guard (try? await bus.open(address: host.busAddress)) != nil else { return nil }
    var daemon: Daemon?
    // Not to start it by asking.
    if (try? await bus.owner(of: DaemonScan.service)) != nil,
      let adapters = try? await DaemonAdapter.all(on: bus)
    {
      var answer = Daemon(adapters: adapters)
      for adapter in adapters {
        let value = try? await bus.property(
          "SupportedSecondaryChannels", of: "org.bluez.LEAdvertisingManager1",
          at: DaemonScan.path(of: adapter.index), on: DaemonScan.service)
        answer.channels[adapter.index] = value?.elements?.compactMap(\.text)
      }
      daemon = answer
    }
    await bus.close()
    return daemon
  }

  private func describe(_ known: DaemonAdapter, _ daemon: Daemon) -> Adapter {
    var adapter = Adapter(index: known.index, state: state(known.index, known.isPowered))
    adapter.address = known.address
    adapter.alias = known.alias
    adapter.manufacturer = known.manufacturer
    adapter.hciVersion = known.version
    adapter.isDiscovering = known.isDiscovering
    adapter.users = ["bluetoothd"]
    if let channels = daemon.channels[known.index] {
      adapter.features.insert(.lowEnergy)
      describePHYs(&adapter, channels)
    }
    return adapter
  }

  private func describePHYs(_ adapter: inout Adapter, _ channels: [String]) {
    adapter.features.insert(.physKnown)
    if channels.contains("1M") { adapter.features.insert(.extendedAdvertising) }
    if channels.contains("2M") { adapter.features.insert(.phy2M) }
    if channels.contains("Coded") { adapter.features.insert(.phyCoded) }
  }
}
