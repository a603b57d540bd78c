package import Bluetooth
package import HCIHost

/// A controller that answers as a test wants it to.
package struct ScriptedController {
  /// Octets and bits of the commands that it lists.
  package var commands: [(octet: Int, bit: Int)] = [(26, 2), (26, 3)]
  package var features: UInt64 = 0x01
  package var lmpFeatures: [UInt8] = [0, 0, 0, 0, 0x60, 0, 0, 0]
  package var address: UInt64 = 0xF0F1_F2F3_F410
  /// The room for LE data: size 2, number.
  package var leBuffers: [UInt8] = [251, 0, 8]
  package var advertisingSets: UInt8 = 1
  package var refusals: [UInt16: UInt8] = [:]
  package var silent: Set<UInt16> = []
  package private(set) var received: [HCICommand] = []

  package static let legacy = ScriptedController()
  package static let extended = ScriptedController(
    commands: [(26, 2), (26, 3), (37, 5), (37, 6)], features: 0x01 | 1 << 11 | 1 << 12)

  package init(
    commands: [(octet: Int, bit: Int)] = [(26, 2), (26, 3)], features: UInt64 = 0x01
  ) {
    self.commands = commands
    self.features = features
  }

  package var opcodes: [UInt16] { received.map(\.opcode) }

  package func parameters(of opcode: UInt16) -> [UInt8]? {
    received.last { $0.opcode == opcode }?.parameters
  }

  /// The event that answers a command; nil when the controller keeps silent.
  package mutating func answer(_ command: HCICommand) -> [UInt8]? {
    received.append(command)
    if silent.contains(command.opcode) { return nil }
    let opcode = command.opcode.octets
    if let status = refusals[command.opcode] {
      // Controllers refuse with either event.
      return status == 0x01
        ? [0x0F, 0x04, status, 0x01] + opcode : [0x0E, 0x04, 0x01] + opcode + [status]
    }
    let parameters = [0x00] + returnParameters(command.opcode)
    return [0x0E, UInt8(3 + parameters.count), 0x01] + opcode + parameters
  }

  private func returnParameters(_ opcode: UInt16) -> [UInt8] {
    switch opcode {
    case HCIOpcode.readLocalVersion: return [0x0C, 0x34, 0x12, 0x0C, 0xF1, 0x05, 0x78, 0x56]
    case HCIOpcode.readLocalFeatures: return lmpFeatures
    case HCIOpcode.readLocalCommands:
      var bits = [UInt8](repeating: 0, count: 64)
      for (octet, bit) in commands { bits[octet] |= 1 << UInt8(bit) }
      return bits
    case HCIOpcode.readAddress: return BluetoothAddress(value: address).littleEndianBytes
    case HCIOpcode.leReadBufferSize: return leBuffers
    case HCIOpcode.leReadNumberOfAdvertisingSets: return [advertisingSets]
    case HCIOpcode.readBufferSize: return [0xFD, 0x03, 0x40, 0x06, 0x00, 0x00, 0x00]
    case HCIOpcode.leReadLocalFeatures:
      return (0..<8).map { UInt8(truncatingIfNeeded: features >> UInt64(8 * $0)) }
    default: return []
    }
  }

  /// Lets the scanner and the controller talk until neither has anything to say; a missing answer
  /// is a time-out.
  package mutating func run(
    _ scanner: inout HCIScanner, _ actions: [HCIScanner.Action]
  ) -> [HCIScanner.Action] {
    var results: [HCIScanner.Action] = []
    var actions = actions
    while !actions.isEmpty {
      var next: [HCIScanner.Action] = []
      for action in actions {
        guard case .send(let command) = action else {
          results.append(action)
          continue
        }
        if let event = answer(command), let reply = HCICommandReply(event: event.span) {
          next += scanner.receive(reply)
        } else {
          next += scanner.timedOut()
        }
      }
      actions = next
    }
    return results
  }
}
