import Bluetooth
import LunaProtocol

/// A thing that an accessory can be asked for: the opcode, and what its operand means
/// (draft-ietf-dult-accessory-protocol-00, "Accessory Information").
enum DULTGetter: UInt16, CaseIterable, Sendable {
  case productData = 0x0003
  case manufacturer = 0x0004
  case model = 0x0005
  case category = 0x0006
  case protocolVersion = 0x0007
  case capabilities = 0x0008
  case network = 0x0009
  case firmware = 0x000A
  case batteryType = 0x000B
  case batteryLevel = 0x000C
  case networkVersion = 0x000D
  case identifier = 0x0404

  /// What the answer begins with.
  var answer: UInt16 { DULTOpcode.answer(to: rawValue) }

  /// Puts the operand of an answer where it belongs; one of a wrong length is left out.
  func store(_ operand: [UInt8], in identity: inout TrackerIdentity) {
    switch self {
    case .productData: if operand.count == 8 { identity.productData = operand }
    case .manufacturer: identity.manufacturer = DULTGetter.text(operand)
    case .model: identity.model = DULTGetter.text(operand)
    // Seven reserved bytes follow.
    case .category: identity.category = operand.first
    case .protocolVersion: identity.protocolVersion = DULTVersion(operand)
    case .capabilities:
      guard operand.count == 4 else { return }
      let value = operand.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      identity.capabilities = DULTCapabilities(rawValue: value)
    case .network: identity.network = operand.first
    case .firmware: identity.firmware = DULTVersion(operand)
    case .batteryType: identity.batteryType = operand.first
    case .batteryLevel: identity.batteryLevel = operand.first
    case .networkVersion: identity.networkVersion = DULTVersion(operand)
    case .identifier: if !operand.isEmpty { identity.identifier = operand }
    }
  }

  /// UTF-8 up to a zero byte or the end, 64 bytes at most; what is none as hexadecimal digits; nil
  /// when there is nothing.
  private static func text(_ operand: [UInt8]) -> String? {
    let text = Array(operand.prefix(64).prefix { $0 != 0 })
    return text.isEmpty ? nil : String(validating: text, as: UTF8.self) ?? Hex.lower(text.span)
  }
}
