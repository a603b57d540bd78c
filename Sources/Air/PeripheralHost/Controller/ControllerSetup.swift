package import Bluetooth

/// Brings an HCI controller from whatever state it is in to one in which it can scan, advertise and
/// connect, and learns what it can do. It knows no transport: it takes the controller's answers and
/// returns what is to be done.
package struct ControllerSetup: Sendable {
  /// What is to be done.
  package enum Action: Hashable, Sendable {
    /// Send this and wait for the answer.
    case send(HCICommand)
    /// The controller is ready.
    case ready
    /// It cannot be used.
    case failed(ControllerFault)
  }

  /// The first Reset may be lost: on a serial line it may be taken for the rest of a command of a
  /// program that was killed.
  private static let resets = 3

  private enum Step: Int, Sendable {
    case reset, version, features, commands, address, eventMask, leHostSupport, leFeatures
    case leEventMask, leBufferSize, bufferSize, ready, over
  }

  private var step = Step.reset
  private var awaited = HCIOpcode.none
  private var resetsLeft = 0
  private var supported: [UInt8] = []
  private var isDualMode = false
  private var asksForBasicEvents = false

  /// The controller's public address; nil while it is not known, or when it has none.
  package private(set) var address: BluetoothAddress?
  /// The HCI version as HCI codes it.
  package private(set) var version: UInt8?
  /// The manufacturer's company identifier.
  package private(set) var manufacturer: UInt16?
  /// The LE features, bit by bit.
  package private(set) var leFeatures: UInt64 = 0
  /// The room for data.
  package private(set) var buffers = ACLBuffers()
  /// Set when it turned out that the extended scan commands are listed and not known.
  package var extendedScanIsBroken = false

  package init() {}

  /// Whether the controller lists a command by octet and bit (Core Specification, Vol 4, Part E,
  /// 6.27).
  func supports(_ octet: Int, _ bit: Int) -> Bool {
    octet < supported.count && supported[octet] & 1 << bit != 0
  }

  /// Whether it scans by extended commands. Octet 37, bits 5 and 6; the feature bit alone is not
  /// enough: there are controllers that can advertise with extensions and cannot scan with them.
  package var hasExtendedScan: Bool { supports(37, 5) && supports(37, 6) && !extendedScanIsBroken }

  /// Whether it advertises by extended commands. Octet 36, bits 1 to 5: random address, parameters,
  /// data, scan response data, enable.
  package var hasExtendedAdvertising: Bool { (1...5).allSatisfy { supports(36, $0) } }

  /// Begins with a reset, which also ends what a killed program left running.
  package mutating func start() -> Action {
    step = .reset
    asksForBasicEvents = false
    resetsLeft = ControllerSetup.resets - 1
    return send()
  }

  /// Takes an answer of the controller; nil when it is not the one that is waited for.
  package mutating func receive(_ reply: HCICommandReply) -> Action? {
    guard reply.opcode == awaited, awaited != HCIOpcode.none, reply.isComplete else { return nil }
    awaited = HCIOpcode.none
    if reply.status == .success {
      learn(reply.parameters)
    } else if let action = refused(reply) {
      return action
    }
    return advance()
  }

  /// The answer did not come.
  package mutating func timedOut() -> Action? {
    guard step.rawValue < Step.ready.rawValue else { return nil }
    let unanswered = awaited
    awaited = HCIOpcode.none
    if step == .reset, resetsLeft > 0 {
      resetsLeft -= 1
      return send()
    }
    return fail(.silent(unanswered))
  }

  private mutating func fail(_ fault: ControllerFault) -> Action {
    step = .over
    return .failed(fault)
  }

  private mutating func advance() -> Action {
    step = Step(rawValue: step.rawValue + 1) ?? .over
    return step == .ready ? .ready : send()
  }

  private mutating func send() -> Action {
    guard let command else { return advance() }
    awaited = command.opcode
    return .send(command)
  }

  /// What a refusal leads to; nil when the step can be done without.
  private mutating func refused(_ reply: HCICommandReply) -> Action? {
    switch step {
    case .leEventMask where reply.status == .unknownCommand: return fail(.noLowEnergy)
    case .leEventMask where !asksForBasicEvents:
      asksForBasicEvents = true
      return send()
    // What stands in its way is switched off next.
    case .reset where reply.status == .commandDisallowed: return nil
    case .reset, .leEventMask: return fail(.refused(reply.opcode, reply.status))
    default: return nil
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
    case .leBufferSize where parameters.count >= 3:
      // size 2, number; nothing when LE shares the buffers of BR/EDR
      take(size: parameters.span.littleEndianWord(at: 0), count: UInt16(parameters[2]))
    case .bufferSize where parameters.count >= 7:
      // size 2, size of synchronous packets, number 2, number of synchronous packets 2
      take(
        size: parameters.span.littleEndianWord(at: 0),
        count: parameters.span.littleEndianWord(at: 3))
    default: break
    }
  }

  private mutating func take(size: UInt16?, count: UInt16?) {
    guard let size, let count, size > 0, count > 0 else { return }
    // No controller may take less than 27 bytes (Vol 4, Part E, 7.8.2).
    buffers = ACLBuffers(size: max(27, Int(size)), count: Int(count))
  }

  private var command: HCICommand? {
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
    case .leFeatures: return HCICommand(HCIOpcode.leReadLocalFeatures)
    case .leEventMask: return HCICommand(HCIOpcode.leSetEventMask, leEvents)
    case .leBufferSize: return HCICommand(HCIOpcode.leReadBufferSize)
    case .bufferSize:
      return buffers == ACLBuffers() ? HCICommand(HCIOpcode.readBufferSize) : nil
    case .ready, .over: return nil
    }
  }

  /// The five events of Bluetooth 4.0 (bits 0 to 4), and what comes with the features that the
  /// controller has (Vol 4, Part E, 7.8.1).
  private var leEvents: [UInt8] {
    var mask: UInt64 = 0x1F
    if hasExtendedScan { mask |= 1 << 12 }  // LE Extended Advertising Report
    if !asksForBasicEvents {
      // The feature "Connection Parameters Request Procedure", and its event.
      if leFeatures & 1 << 1 != 0 { mask |= 1 << 5 }
      // LE Enhanced Connection Complete, LE Advertising Set Terminated
      if hasExtendedScan || hasExtendedAdvertising { mask |= 1 << 9 }
      if hasExtendedAdvertising { mask |= 1 << 17 }
    }
    return (0..<8).map { UInt8(truncatingIfNeeded: mask >> UInt64(8 * $0)) }
  }
}
