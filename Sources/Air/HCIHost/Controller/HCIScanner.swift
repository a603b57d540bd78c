package import Bluetooth
import Diagnosis
package import PeripheralHost

/// Brings an HCI controller from whatever state it is in to scanning, and back; and lets it pause
/// meanwhile. It knows no transport: it takes the controller's answers and returns what is to be
/// done.
///
/// Extended scan commands are used when the controller lists them, legacy ones otherwise; the two
/// are never mixed between resets, since the controller then refuses them
/// (Core Specification, Vol 4, Part E, 3.1.1).
package struct HCIScanner: Sendable {
  /// What is wanted.
  package struct Settings: Sendable {
    package var isActive: Bool
    package var phys: Set<PHY>
    /// Used when the controller has no public address to scan from.
    package var randomAddress: BluetoothAddress

    package init(isActive: Bool, phys: Set<PHY>, randomAddress: BluetoothAddress) {
      self.isActive = isActive
      self.phys = phys
      self.randomAddress = randomAddress
    }
  }

  /// What is to be done.
  package enum Action: Hashable, Sendable {
    /// Send this and wait for the answer.
    case send(HCICommand)
    /// The controller scans.
    case scanning
    /// The controller does not scan for now.
    case paused
    /// It cannot be made to scan.
    case failed(SourceError)
    /// The scan is off.
    case stopped
  }

  private enum Step: Sendable {
    case setup, leftover, randomAddress, scanParameters, scanEnable, scanning
    case pausing, paused, resuming, stoppingAfterResume, scanDisable, over
  }

  /// The scan interval and window: 60 ms, in steps of 0.625 ms.
  private static let interval: UInt16 = 0x0060

  private let settings: Settings
  private var step = Step.setup
  private var awaited = HCIOpcode.none

  /// What is known of the controller.
  package private(set) var setup = ControllerSetup()

  package init(settings: Settings) { self.settings = settings }

  /// Whether the extended commands are in use.
  package var isExtended: Bool { setup.hasExtendedScan }

  /// Whether scan responses are asked for.
  package var isActive: Bool { settings.isActive }

  /// Whether the scan listens on LE Coded too, or only there.
  package var scansCoded: Bool {
    settings.phys.contains(.leCoded) && isExtended && setup.leFeatures & 1 << 11 != 0
  }

  /// Whether the scan listens on LE 1M.
  package var scans1M: Bool { settings.phys.contains(.le1M) || !settings.phys.contains(.leCoded) }

  /// Whether requests and reports go out from a random address, for want of a public one.
  package var usesRandomAddress: Bool { setup.address == nil }

  /// Whether the controller does not scan for now.
  package var isPaused: Bool { step == .paused }

  /// Whether it scans, or will again.
  package var isRunning: Bool {
    switch step {
    case .scanning, .pausing, .paused, .resuming: true
    default: false
    }
  }

  /// Begins with a reset, which also ends what a killed program left running. Not every controller
  /// ends its scan with it, so that is switched off besides.
  package mutating func start() -> [Action] {
    step = .setup
    return take(setup.start())
  }

  /// Takes an answer of the controller.
  package mutating func receive(_ reply: HCICommandReply) -> [Action] {
    if step == .setup { return take(setup.receive(reply)) }
    guard reply.opcode == awaited, awaited != HCIOpcode.none, reply.isComplete else { return [] }
    awaited = HCIOpcode.none
    switch step {
    case .setup, .scanning, .paused, .over: return []
    // Disallowed: it was off already.
    case .scanDisable: return end()
    case .pausing:
      step = .paused
      return [.paused]
    case .stoppingAfterResume: return send(.scanDisable)
    // Disallowed, as a rule: the reset has ended it.
    case .leftover: return send(usesRandomAddress ? .randomAddress : .scanParameters)
    case .randomAddress: return send(.scanParameters)
    case .scanParameters:
      if reply.status == .success { return send(.scanEnable) }
      // It lists the extended commands and does not know them: legacy ones, after a new reset.
      if isExtended && reply.status == .unknownCommand {
        setup.extendedScanIsBroken = true
        return start()
      }
    case .scanEnable, .resuming:
      if reply.status == .success {
        step = .scanning
        return [.scanning]
      }
    }
    return fail(SourceError.refusal(name, reply.status))
  }

  /// The answer did not come.
  package mutating func timedOut() -> [Action] {
    if step == .setup { return take(setup.timedOut()) }
    awaited = HCIOpcode.none
    switch step {
    case .setup, .scanning, .paused, .over: return []
    case .scanDisable, .stoppingAfterResume: return end()
    case .leftover, .randomAddress, .scanParameters, .scanEnable, .pausing, .resuming:
      return fail(SourceError.silence("the controller fell silent", name))
    }
  }

  /// Lets the controller do something else for a while; nothing unless it scans.
  package mutating func pause() -> [Action] { step == .scanning ? send(.pausing) : [] }

  /// Goes on after ``pause()``; nothing unless it is paused.
  package mutating func resume() -> [Action] { step == .paused ? send(.resuming) : [] }

  /// Switches the scan off.
  package mutating func stop() -> [Action] {
    switch step {
    case .scanning: return send(.scanDisable)
    case .pausing:
      // What was sent does it.
      step = .scanDisable
      return []
    case .resuming:
      step = .stoppingAfterResume
      return []
    case .scanDisable, .stoppingAfterResume: return []
    case .setup, .leftover, .randomAddress, .scanParameters, .scanEnable, .paused, .over:
      return end()
    }
  }

  private mutating func end() -> [Action] {
    step = .over
    return [.stopped]
  }

  private mutating func fail(_ error: SourceError) -> [Action] {
    step = .over
    return [.failed(error)]
  }

  private mutating func take(_ action: ControllerSetup.Action?) -> [Action] {
    switch action {
    case nil: return []
    case .send(let command): return [.send(command)]
    case .failed(let fault): return fail(SourceError(fault))
    case .ready:
      guard scans1M || scansCoded else {
        return fail(
          SourceError(
            .invalid, "the controller cannot listen on LE Coded", remedy: "use \(.phys("1m"))"))
      }
      return send(.leftover)
    }
  }

  private mutating func send(_ step: Step) -> [Action] {
    self.step = step
    guard let command else { return [] }
    awaited = command.opcode
    return [.send(command)]
  }

  private var command: HCICommand? {
    switch step {
    case .randomAddress:
      HCICommand(HCIOpcode.leSetRandomAddress, settings.randomAddress.littleEndianBytes)
    case .scanParameters: isExtended ? extendedParameters : legacyParameters
    case .scanEnable, .resuming: enable(true)
    case .leftover, .scanDisable, .pausing: enable(false)
    case .setup, .scanning, .paused, .stoppingAfterResume, .over: nil
    }
  }

  private var ownAddressType: UInt8 { usesRandomAddress ? 0x01 : 0x00 }

  private var legacyParameters: HCICommand {
    // type, interval 2, window 2, own address type, filter policy
    let interval = HCIScanner.interval.octets
    return HCICommand(
      HCIOpcode.leSetScanParameters,
      [settings.isActive ? 1 : 0] + interval + interval + [ownAddressType, 0])
  }

  private var extendedParameters: HCICommand {
    // own address type, filter policy, PHYs (bit 0 1M, bit 2 Coded), then for each PHY: type,
    // interval 2, window 2. Two PHYs share the time: each window is half the interval.
    let phys: [Bool] = [scans1M, scansCoded]
    let count = UInt16(phys.count { $0 })
    let perPHY =
      [settings.isActive ? 1 : 0] + (HCIScanner.interval * count).octets
      + HCIScanner.interval.octets
    return HCICommand(
      HCIOpcode.leSetExtendedScanParameters,
      [ownAddressType, 0, (scans1M ? 1 : 0) | (scansCoded ? 4 : 0)]
        + phys.filter(\.self).flatMap { _ in perPHY })
  }

  private func enable(_ on: Bool) -> HCICommand {
    // on, filter duplicates: never; extended: duration 2 and period 2, for ever
    isExtended
      ? HCICommand(HCIOpcode.leSetExtendedScanEnable, [on ? 1 : 0, 0, 0, 0, 0, 0])
      : HCICommand(HCIOpcode.leSetScanEnable, [on ? 1 : 0, 0])
  }

  private var name: String {
    let extended = isExtended ? "Extended " : ""
    switch step {
    case .randomAddress: return "LE Set Random Address"
    case .scanParameters: return "LE Set \(extended)Scan Parameters"
    default: return "LE Set \(extended)Scan Enable"
    }
  }
}
