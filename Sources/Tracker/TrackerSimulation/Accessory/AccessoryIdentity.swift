/// What an accessory of another maker tells of itself ("Accessory information" of
/// draft-ietf-dult-accessory-protocol-00): the operand of the answer to each opcode. Its identifier it
/// tells only after a physical action, which nobody does in the room.
struct AccessoryIdentity: Sendable {
  /// What messages of the room call it.
  let name: String
  /// By the opcode of the question.
  let operands: [UInt16: [UInt8]]

  private init(
    name: String, manufacturer: String, model: String, network: UInt8, firmware: [UInt8],
    battery: UInt8
  ) {
    func text(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8.prefix(64))
      return bytes + [UInt8](repeating: 0, count: 64 - bytes.count)
    }
    self.name = name
    operands = [
      0x0003: [network, 0, 0, 0, 0, 0, 0, 1], 0x0004: text(manufacturer), 0x0005: text(model),
      // A location tracker.
      0x0006: [1, 0, 0, 0, 0, 0, 0, 0], 0x0007: [0, 0, 1, 0],
      // Sound, and the identifier over Bluetooth LE.
      0x0008: [0b1001, 0, 0, 0], 0x0009: [network], 0x000A: firmware, 0x000B: [1],
      0x000C: [battery],
    ]
  }

  /// An AirTag.
  static let airTag = AccessoryIdentity(
    name: "AirTag", manufacturer: "Apple Inc.", model: "AirTag", network: 1,
    firmware: [73, 0, 2, 0], battery: 0)

  /// An accessory of Google's network.
  static let dult = AccessoryIdentity(
    name: "Finder Tag", manufacturer: "Example Trackers", model: "Finder Tag", network: 2,
    firmware: [4, 3, 1, 0], battery: 1)
}
