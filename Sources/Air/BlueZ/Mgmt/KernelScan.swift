import Bluetooth
import EventLoop

/// What a scan asks of the kernel on one adapter, and takes back at its end: power, PHYs, an
/// advertisement monitor, a discovery.
actor KernelScan: ReactorActor {
  /// What an advertisement monitor gives.
  enum Monitor: Hashable, Sendable {
    /// It is registered: every repeat of every advertisement is reported.
    case registered
    /// The controller would compare with patterns itself and keep the rest: none was registered.
    case offloaded
    /// The kernel is older than 5.8.
    case unsupported
    /// This process may not.
    case forbidden
  }

  nonisolated let reactor: Reactor

  /// The adapter.
  nonisolated let index: UInt16
  private let mgmt: MgmtSocket
  private let host: any BluetoothHost
  private let files: ScanLedgerFiles
  private var ledger: ScanLedger

  init(reactor: Reactor, mgmt: MgmtSocket, host: any BluetoothHost, index: UInt16) {
    self.reactor = reactor
    self.mgmt = mgmt
    self.host = host
    self.index = index
    files = ScanLedgerFiles(host: host)
    ledger = files.new(for: index)
  }

  /// Undoes what processes that were killed have left behind on this adapter. For lack of
  /// permission it may do nothing.
  ///
  /// - Parameter keepingPower: Leaves the adapter on: that is bluetoothd's to decide.
  func clearLeftovers(keepingPower: Bool) async {
    let (running, killed) = files.others(for: index)
    for var ledger in killed {
      if keepingPower { ledger.power = false }
      if await undo(ledger, othersRun: !running.isEmpty) { files.remove(ledger) }
    }
  }

  /// Powers the adapter on, with LE.
  func powerOn(_ information: MgmtInformation) async throws(SourceError) {
    do throws(MgmtError) {
      if !information.current.contains(.lowEnergy) {
        try await mgmt.send(MgmtOpcode.setLowEnergy, to: index, [1])
      }
      if information.current.contains(.powered) {
        // Another luna may have powered it on, and may end before this one.
        ledger.power = files.others(for: index).running.contains(where: \.power)
      } else {
        try await mgmt.send(MgmtOpcode.setPowered, to: index, [1], within: .seconds(10))
        ledger.power = true
      }
      files.save(ledger)
    } catch {
      switch error.status {
      case MgmtStatus.permissionDenied:
        throw AdapterProblem.permission("power hci\(index) on", on: host)
      case MgmtStatus.blockedByRfkill: throw AdapterProblem.off(index, on: host)
      default: throw SourceError.unusable("hci\(index) cannot be powered on (\(error))")
      }
    }
  }

  /// Whether the adapter was off before.
  var isPoweredByUs: Bool { ledger.power }

  /// Makes scans listen on LE Coded too, if the adapter can.
  func listenOnCoded() async -> Bool {
    do throws(MgmtError) {
      // supported 4, configurable 4, selected 4
      let reply = try await mgmt.send(MgmtOpcode.getPHYConfiguration, to: index)
      guard reply.count >= 12 else { return false }
      let supported = MgmtPHYs(rawValue: MgmtPacket.number32(reply.span, 0))
      let selected = MgmtPHYs(rawValue: MgmtPacket.number32(reply.span, 8))
      guard supported.contains(.leCodedReceive) else { return false }
      // Another luna may have changed them before: it knows what they were.
      let original = files.others(for: index).running.compactMap(\.phys).first
      ledger.phys = original ?? (selected.contains(.leCodedReceive) ? nil : selected.rawValue)
      if selected.contains(.leCodedReceive) {
        files.save(ledger)
        return true
      }
      let wanted = selected.union([.leCodedTransmit, .leCodedReceive]).intersection(supported)
      try await mgmt.send(
        MgmtOpcode.setPHYConfiguration, to: index, MgmtPacket.bytes(wanted.rawValue))
      files.save(ledger)
      return true
    } catch {
      return false
    }
  }

  /// Registers an advertisement monitor, so that the kernel scans without the controller's
  /// duplicate filter and, while nobody discovers, passively; all the time instead of half of it.
  func monitor() async throws(SourceError) -> Monitor {
    do throws(MgmtError) {
      let reply = try await mgmt.send(MgmtOpcode.readMonitorFeatures, to: index)
      guard let features = MgmtMonitorFeatures(reply) else { return .unsupported }
      if features.offloadsPatterns { return .offloaded }
      await widenWindow()
      return try await addMonitor() ? .registered : .unsupported
    } catch {
      return try refusal(error)
    }
  }

  /// Registers the monitor anew after ``rest()``.
  func monitorAgain() async throws(SourceError) -> Monitor {
    do throws(MgmtError) {
      return try await addMonitor() ? .registered : .unsupported
    } catch {
      return try refusal(error)
    }
  }

  private func addMonitor() async throws(MgmtError) -> Bool {
    // Without offloading the kernel ignores the pattern, yet wants one: AD type Flags, at 0, one
    // byte.
    let pattern: [UInt8] = [1, 0x01, 0, 1, 0x06] + [UInt8](repeating: 0, count: 30)
    let handle = try await mgmt.send(MgmtOpcode.addPatternsMonitor, to: index, pattern)
    guard handle.count >= 2 else { return false }
    ledger.monitor = MgmtPacket.number(handle.span, 0)
    files.save(ledger)
    return true
  }

  private func refusal(_ error: MgmtError) throws(SourceError) -> Monitor {
    switch error.status {
    case MgmtStatus.permissionDenied: return .forbidden
    case MgmtStatus.unknownCommand, MgmtStatus.notSupported: return .unsupported
    default:
      throw SourceError(
        error.status == .busy ? .busy : .lost,
        "the kernel refuses an advertisement monitor on hci\(index) (\(error))")
    }
  }

  /// The handle of the monitor that is registered.
  var monitorHandle: UInt16? { ledger.monitor }

  /// Sets the scan window to the scan interval. Older kernels cannot: then the scan has its pauses.
  private func widenWindow() async {
    guard
      let reply = try? await mgmt.send(MgmtOpcode.readDefaultSystemConfiguration, to: index)
    else { return }
    let parameters = MgmtParameter.list(reply)
    func value(_ type: UInt16) -> UInt16? { parameters.first { $0.type == type }?.value }
    guard let interval = value(MgmtParameter.monitorInterval),
      let window = value(MgmtParameter.monitorWindow)
    else { return }
    // Another luna may have widened it before: it knows what it was.
    let original = files.others(for: index).running.compactMap(\.window).first
    if window == interval && original == nil { return }
    if window != interval {
      let wanted = MgmtParameter(type: MgmtParameter.monitorWindow, value: interval)
      let done = try? await mgmt.send(
        MgmtOpcode.setDefaultSystemConfiguration, to: index, wanted.bytes)
      guard done != nil else { return }
    }
    ledger.window = original ?? window
    files.save(ledger)
  }

  /// LE, public and random addresses.
  private static let lowEnergy: [UInt8] = [0x06]

  /// Starts a discovery: an active scan, which the kernel ends after 10.24 s.
  ///
  /// - Returns: False when somebody else discovers already.
  func discover() async throws(SourceError) -> Bool {
    do throws(MgmtError) {
      try await mgmt.send(MgmtOpcode.startDiscovery, to: index, KernelScan.lowEnergy)
      if !ledger.discovery {
        ledger.discovery = true
        files.save(ledger)
      }
      return true
    } catch {
      switch error.status {
      case MgmtStatus.busy: return false
      case MgmtStatus.permissionDenied:
        throw AdapterProblem.permission("scan with hci\(index)", on: host)
      case MgmtStatus.notPowered: throw AdapterProblem.off(index, on: host)
      default:
        throw SourceError(.lost, "the kernel refuses to start discovery on hci\(index) (\(error))")
      }
    }
  }

  /// Takes back what makes the adapter scan; power, PHYs and the window of the scan stay.
  func rest() async {
    if ledger.discovery {
      _ = try? await mgmt.send(
        MgmtOpcode.stopDiscovery, to: index, KernelScan.lowEnergy, within: .seconds(2))
    }
    if let monitor = ledger.monitor {
      _ = try? await mgmt.send(
        MgmtOpcode.removeMonitor, to: index, MgmtPacket.bytes(monitor), within: .seconds(2))
    }
    ledger.discovery = false
    ledger.monitor = nil
    files.save(ledger)
  }

  /// Takes everything back.
  ///
  /// - Parameter keepingPower: Leaves the adapter on: that is bluetoothd's to decide.
  func undo(keepingPower: Bool = false) async {
    if keepingPower { ledger.power = false }
    let running = files.others(for: index).running
    _ = await undo(ledger, othersRun: !running.isEmpty)
    ledger = files.new(for: index)
    files.save(ledger)
  }

  /// False when this process may not. What cannot be undone for another reason is gone already:
  /// the adapter was removed.
  private func undo(_ ledger: ScanLedger, othersRun: Bool) async -> Bool {
    var steps: [(UInt16, [UInt8])] = []
    if ledger.discovery { steps.append((MgmtOpcode.stopDiscovery, KernelScan.lowEnergy)) }
    if let monitor = ledger.monitor {
      steps.append((MgmtOpcode.removeMonitor, MgmtPacket.bytes(monitor)))
    }
    // While another luna scans here, the rest is for that one to take back.
    if let window = ledger.window, !othersRun {
      let parameter = MgmtParameter(type: MgmtParameter.monitorWindow, value: window)
      steps.append((MgmtOpcode.setDefaultSystemConfiguration, parameter.bytes))
    }
    if let phys = ledger.phys, !othersRun {
      steps.append((MgmtOpcode.setPHYConfiguration, MgmtPacket.bytes(phys)))
    }
    if ledger.power && !othersRun { steps.append((MgmtOpcode.setPowered, [0])) }
    for (opcode, parameters) in steps {
      do throws(MgmtError) {
        try await mgmt.send(opcode, to: index, parameters, within: .seconds(2))
      } catch {
        if error.status == .permissionDenied { return false }
      }
    }
    return true
  }
}
