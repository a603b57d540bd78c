import Bluetooth

/// Brings an HCI controller from whatever state it is in to scanning, and back. It knows no
/// transport: it takes the controller's answers and returns what is to be done.
///
/// Extended scan commands are used when the controller lists them, legacy ones otherwise; the two
/// are never mixed between resets, since the controller then refuses them
/// (Core Specification, Vol 4, Part E, 3.1.1).
struct HCIScanner: Sendable {
  /// What is wanted.
  struct Settings: Sendable {
    var isActive: Bool
    var phys: Set<PHY>
    /// Used when the controller has no public address to scan from.
    var randomAddress: BluetoothAddress
  }

  /// What is to be done.
  enum Action: Hashable, Sendable {
    /// Send this and wait for the answer.
    case send(HCICommand)
    /// The controller scans.
    case scanning
    /// It cannot be made to scan.
    case failed(SourceError)
    /// The scan is off.
    case stopped
  }

  private enum Step: Int, CaseIterable, Sendable {
    case reset, version, features, commands, address, eventMask, leHostSupport, leEventMask
    case leFeatures, randomAddress, scanParameters, scanEnable, scanning, scanDisable, over
  }

  /// The scan interval and window: 60 ms, in steps of 0.625 ms.
  private static let interval: UInt16 = 0x0060

  private let settings: Settings
  private var step = Step.reset
  private var awaited = HCIOpcode.none
  private var supported: [UInt8] = []
  private var extendedIsBroken = false
  private var isDualMode = false

  /// The controller's public address; nil while it is not known, or when it has none.
  private(set) var address: BluetoothAddress?
  /// The HCI version as HCI codes it.
  private(set) var version: UInt8?
  /// The manufacturer's company identifier.
  private(set) var manufacturer: UInt16?
  /// The LE features, bit by bit.
  private(set) var leFeatures: UInt64 = 0

  init(settings: Settings) { self.settings = settings }

  /// Whether the extended commands are in use.
  var isExtended: Bool {
    // Octet 37, bits 5 and 6. The feature bit alone is not enough: there are controllers that can
    // advertise with extensions and cannot scan with them.
    supports(37, 5) && supports(37, 6) && !extendedIsBroken
  }

  /// Whether scan responses are asked for.
  var isActive: Bool { settings.isActive }

  /// Whether the scan listens on LE Coded too, or only there.
  var scansCoded: Bool {
    settings.phys.contains(.leCoded) && isExtended && leFeatures & 1 << 11 != 0
  }

  /// Whether the scan listens on LE 1M.
  var scans1M: Bool { settings.phys.contains(.le1M) || !settings.phys.contains(.leCoded) }

  /// Begins with a reset, which also ends what a killed program left running.
  mutating func start() -> [Action] {
    step = .reset
    return send()
  }

  /// Takes an answer of the controller.
  mutating func receive(_ reply: HCICommandReply) -> [Action] {
    guard reply.opcode == awaited, awaited != HCIOpcode.none, reply.isComplete else { return [] }
    awaited = HCIOpcode.none
    switch step {
    case .scanning, .over: return []
    case .scanDisable:
      // Disallowed: it was off already.
      step = .over
      return [.stopped]
    default:
      if reply.status != .success, let actions = refused(reply) { return actions }
      if reply.status == .success { learn(reply.parameters) }
      return advance()
    }
  }

  /// The answer did not come.
  mutating func timedOut() -> [Action] {
    awaited = HCIOpcode.none
    switch step {
    case .scanning, .over: return []
    case .scanDisable:
      step = .over
      return [.stopped]
    default:
      let what = step == .reset ? "the controller does not answer" : "the controller fell silent"
      return fail(
        SourceError(
          .lost, "\(what) (\(name(of: step)))",
          hint: "check that it speaks H4 and, on a serial line, the speed and flow control"))
    }
  }

  /// Switches the scan off.
  mutating func stop() -> [Action] {
    guard step == .scanning else {
      step = .over
      return [.stopped]
    }
    step = .scanDisable
    return send()
  }

  private mutating func fail(_ error: SourceError) -> [Action] {
    step = .over
    return [.failed(error)]
  }

  private mutating func advance() -> [Action] {
    if step == .leFeatures, !scans1M, !scansCoded {
      return fail(
        SourceError(.invalid, "the controller cannot listen on LE Coded", hint: "use --phy 1m"))
    }
    step = Step(rawValue: step.rawValue + 1) ?? .over
    return step == .scanning ? [.scanning] : send()
  }

  private mutating func send() -> [Action] {
    guard let command = command(for: step) else { return advance() }
    awaited = command.opcode
    return [.send(command)]
  }

  /// What a refusal leads to; nil when the step can be done without.
  private mutating func refused(_ reply: HCICommandReply) -> [Action]? {
    switch step {
    case .version, .commands, .features, .address, .eventMask, .leHostSupport, .leFeatures,
      .randomAddress:
      return nil
    case .scanParameters where isExtended && reply.status == .unknownCommand:
      // It lists the extended commands and does not know them: legacy ones, after a new reset.
      extendedIsBroken = true
      return start()
    case .leEventMask where reply.status == .unknownCommand:
      return fail(
        SourceError(.noAdapter, "the controller has no Bluetooth LE", hint: "use another adapter"))
    default:
      return fail(
        SourceError(
          .lost, "the controller refuses \(name(of: step)): \(reply.status)",
          hint: "plug it in again, or reset it"))
    }
  }

  private mutating func learn(_ parameters: [UInt8]) {
    switch step {
    case .version where parameters.count >= 8:
      // HCI version, HCI revision 2, LMP version, manufacturer 2, LMP subversion 2
      version = parameters[0]
      manufacturer = UInt16(parameters[4]) | UInt16(parameters[5]) << 8
    case .features where parameters.count >= 8:
      // Byte 4: bit 5 "BR/EDR not supported"
      isDualMode = parameters[4] & 1 << 5 == 0
    case .commands: supported = parameters
    case .address:
      let found = BluetoothAddress(littleEndian: parameters.span)
      address = found?.value == 0 || found?.value == 0xFFFF_FFFF_FFFF ? nil : found
    case .leFeatures where parameters.count >= 8:
      leFeatures = parameters[..<8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    default: break
    }
  }

  private func supports(_ octet: Int, _ bit: Int) -> Bool {
    octet < supported.count && supported[octet] & 1 << bit != 0
  }

  private func command(for step: Step) -> HCICommand? {
    switch step {
    case .reset: return HCICommand(HCIOpcode.reset)
    case .version: return HCICommand(HCIOpcode.readLocalVersion)
    case .features: return HCICommand(HCIOpcode.readLocalFeatures)
    case .commands: return HCICommand(HCIOpcode.readLocalCommands)
    case .address: return HCICommand(HCIOpcode.readAddress)
    case .eventMask:
      // The default events, and LE Meta (bit 61).
      return HCICommand(
        HCIOpcode.setEventMask, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F, 0x00, 0x20])
    case .leHostSupport:
      // Octet 24, bit 6. A controller with BR/EDR keeps LE off until the host says that it can.
      return isDualMode && supports(24, 6)
        ? HCICommand(HCIOpcode.writeLEHostSupport, [0x01, 0x00]) : nil
    case .leEventMask:
      // The five events of Bluetooth 4.0, and LE Extended Advertising Report (bit 12).
      return HCICommand(
        HCIOpcode.leSetEventMask, [0x1F, isExtended ? 0x10 : 0x00, 0, 0, 0, 0, 0, 0])
    case .leFeatures: return HCICommand(HCIOpcode.leReadLocalFeatures)
    case .randomAddress:
      return address == nil
        ? HCICommand(HCIOpcode.leSetRandomAddress, settings.randomAddress.littleEndianBytes) : nil
    case .scanParameters: return isExtended ? extendedParameters : legacyParameters
    case .scanEnable: return enable(true)
    case .scanDisable: return enable(false)
    case .scanning, .over: return nil
    }
  }

  private var ownAddressType: UInt8 { address == nil ? 0x01 : 0x00 }

  private var legacyParameters: HCICommand {
    // type, interval 2, window 2, own address type, filter policy
    let interval = HCIScanner.bytes(HCIScanner.interval)
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
      [settings.isActive ? 1 : 0] + HCIScanner.bytes(HCIScanner.interval * count)
      + HCIScanner.bytes(HCIScanner.interval)
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

  private static func bytes(_ value: UInt16) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
  }

  private func name(of step: Step) -> String {
    let extended = isExtended ? "Extended " : ""
    switch step {
    case .reset: return "Reset"
    case .version: return "Read Local Version Information"
    case .features: return "Read Local Supported Features"
    case .commands: return "Read Local Supported Commands"
    case .address: return "Read BD_ADDR"
    case .eventMask: return "Set Event Mask"
    case .leHostSupport: return "Write LE Host Support"
    case .leEventMask: return "LE Set Event Mask"
    case .leFeatures: return "LE Read Local Supported Features"
    case .randomAddress: return "LE Set Random Address"
    case .scanParameters: return "LE Set \(extended)Scan Parameters"
    case .scanEnable, .scanDisable: return "LE Set \(extended)Scan Enable"
    case .scanning, .over: return "scanning"
    }
  }
}
