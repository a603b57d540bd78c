import Bluetooth
import Diagnosis
import EventLoop
import HCIHost
import SystemBus

/// Takes the steps that bring back an adapter whose scan has stopped. It does nothing to an adapter
/// through which somebody is connected, and nothing to any other adapter.
actor AdapterRepair: ReactorActor {
  nonisolated let reactor: Reactor

  private let host: any BluetoothHost
  private let target: AdapterTarget
  /// Where the adapter is plugged in, as long as that was known.
  private var device: USBDevice?
  /// The switches of rfkill's that it had while it worked. One that comes back has another.
  private var switches: Set<UInt32> = []

  init(reactor: Reactor, host: any BluetoothHost, target: AdapterTarget) {
    self.reactor = reactor
    self.host = host
    self.target = target
  }

  /// Notes how the adapter is connected, while it works.
  func remember() {
    guard let index = target.place?.index else { return }
    let hardware = AdapterHardware.read(of: index, on: host)
    device = hardware.usb ?? device
    switches = Set(hardware.switches.map(\.number))
  }

  /// Whether rfkill blocks the adapter in software.
  nonisolated var isBlocked: Bool {
    target.place.map { RFKill.state(of: $0.index, on: host) == .soft } ?? false
  }

  /// Takes a step.
  ///
  /// - Returns: why that was not possible; nil when it was done.
  func take(_ step: RecoveryStep.Kind) async -> StepProblem? {
    do throws(StepProblem) {
      switch step {
      case .scan, .wait: break
      case .power: try await cyclePower()
      case .rfkill: try await unblock()
      case .interface: try await cycleInterface()
      case .usb: try await resetDevice()
      }
      return nil
    } catch {
      return error
    }
  }

  private func cyclePower() async throws(StepProblem) {
    try await withAdapter { mgmt, found throws(StepProblem) in
      let wasPowered = found.information.current.contains(.powered)
      var isOff = false
      do throws(MgmtError) {
        if wasPowered {
          try await mgmt.send(MgmtOpcode.setPowered, to: found.index, [0], within: .seconds(10))
          isOff = true
        }
        try await mgmt.send(MgmtOpcode.setPowered, to: found.index, [1], within: .seconds(10))
      } catch {
        let status = error.status
        guard status == .permissionDenied else {
          // Who does not answer may do it all the same.
          throw StepProblem("\(error)", hasBegun: isOff || status == nil)
        }
        try await self.cyclePowerByDaemon(found.index, wasPowered)
      }
    }
  }

  /// For who may not do it: bluetoothd lets its users.
  private func cyclePowerByDaemon(_ index: UInt16, _ wasPowered: Bool) async throws(StepProblem) {
    let bus = BusConnection(reactor: reactor)
    var isOff = false
    do throws(BusError) {
      try await bus.open(address: host.busAddress)
      for isOn in wasPowered ? [false, true] : [true] {
        try await bus.call(
          DaemonScan.service, DaemonScan.path(of: index), DaemonScan.propertiesInterface, "Set",
          [.string(DaemonScan.adapterInterface), .string("Powered"), .variant(.bool(isOn))])
        isOff = !isOn
      }
      await bus.close()
    } catch {
      await bus.close()
      throw StepProblem(
        "bluetoothd does not switch it (\(error))",
        hasBegun: isOff || error.name == BusError.noReply)
    }
  }

  private func cycleInterface() async throws(StepProblem) {
    try await withAdapter { [host] _, found throws(StepProblem) in
      try await AdapterRepair.call { () throws(SystemCallError) in
        try host.takeDown(found.index)
      }
      try await AdapterRepair.call(hasBegun: true) { () throws(SystemCallError) in
        try host.bringUp(found.index)
      }
    }
  }

  private func unblock() async throws(StepProblem) {
    guard let index = target.place?.index else { throw StepProblem("the adapter is not there") }
    let blocked = RFKillSwitch.list(of: index, on: host).filter { $0.state == .soft }
    // Who blocks all radios means this one too.
    let others = RFKillSwitch.list(on: host).filter { all in
      !blocked.contains { $0.number == all.number }
    }
    guard others.isEmpty || others.contains(where: { $0.state == .unblocked }) else {
      throw StepProblem("all Bluetooth adapters are blocked")
    }
    guard blocked.allSatisfy({ !switches.contains($0.number) }) else {
      throw StepProblem("it did not come back blocked: somebody has blocked it")
    }
    try await AdapterRepair.call { [host] () throws(SystemCallError) in
      for blocked in blocked { try host.unblock(blocked.number) }
    }
  }

  private func resetDevice() async throws(StepProblem) {
    if let index = target.place?.index { device = USBDevice.read(of: index, on: host) ?? device }
    guard let device else { throw StepProblem("it is not connected by USB") }
    try await checkIdle()
    // The number changes with every plugging; the port does not.
    let place = "/sys/bus/usb/devices/\(device.port)"
    guard let number = host.text(at: "\(place)/devnum").flatMap({ UInt16($0) }),
      device.vendor == code(at: "\(place)/idVendor"),
      device.product == code(at: "\(place)/idProduct")
    else { throw StepProblem("it is not plugged in at \(device.port) any more") }
    var present = device
    present.number = number
    let node = present.node
    try await AdapterRepair.call { [host] () throws(SystemCallError) in try host.resetUSB(node) }
  }

  private func code(at path: String) -> UInt16? {
    host.text(at: path).flatMap { UInt16($0, radix: 16) }
  }

  /// Nobody may be connected through it: that would be ended, and shows that it works.
  private func checkIdle(_ mgmt: MgmtSocket, _ index: UInt16) async throws(StepProblem) {
    var count = (try? host.links(of: index))?.count ?? 0
    // Not only LE, where this process may ask.
    if let connections = try? await mgmt.send(MgmtOpcode.getConnections, to: index) {
      count = max(count, MgmtPacket.list(connections).count)
    }
    guard count == 0 else {
      throw StepProblem(
        "\(target.name) has \(count) connection\(count == 1 ? "" : "s"), which would be lost")
    }
  }

  private func checkIdle() async throws(StepProblem) {
    // One that has crashed has no number any more, and no connections.
    guard let index = target.place?.index else { return }
    let mgmt = MgmtSocket(reactor: reactor)
    guard (try? await mgmt.open(on: host)) != nil else { return }
    do throws(StepProblem) {
      try await checkIdle(mgmt, index)
      await mgmt.close()
    } catch {
      await mgmt.close()
      throw error
    }
  }

  private func withAdapter(
    _ body: (MgmtSocket, AdapterFinder.Found) async throws(StepProblem) -> Void
  ) async throws(StepProblem) {
    let mgmt = MgmtSocket(reactor: reactor)
    do throws(SystemCallError) {
      try await mgmt.open(on: host)
    } catch {
      throw StepProblem("the kernel cannot be asked (\(error))")
    }
    do throws(StepProblem) {
      let found = try await find(mgmt)
      try await checkIdle(mgmt, found.index)
      try await body(mgmt, found)
      await mgmt.close()
    } catch {
      await mgmt.close()
      throw error
    }
  }

  private func find(_ mgmt: MgmtSocket) async throws(StepProblem) -> AdapterFinder.Found {
    do throws(SourceError) {
      return try await AdapterFinder(mgmt: mgmt, host: host).find(target)
    } catch {
      throw StepProblem(error.reason)
    }
  }

  /// A call that may take seconds, away from the reactor.
  private static func call(
    hasBegun: Bool = false, _ body: @escaping @Sendable () throws(SystemCallError) -> Void
  ) async throws(StepProblem) {
    do throws(SystemCallError) {
      try await Blocking.run(body)
    } catch {
      throw StepProblem("\(error)", hasBegun: hasBegun)
    }
  }
}
