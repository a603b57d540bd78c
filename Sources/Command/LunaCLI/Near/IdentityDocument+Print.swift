import Bluetooth
import LunaBuzzer
import LunaProtocol

/// What a tracker told of itself, as a JSON line or as text.
enum IdentityDocument {
  static func print(_ identity: TrackerIdentity, _ session: NearSession) {
    let rows = rows(identity)
    let width = rows.map(\.0.count).max() ?? 0
    let text = rows.map { name, value in
      DisplayText.clean(name + String(repeating: " ", count: width - name.count + 2) + value)
    }
    // Each on a line of its own, so that none of what a stranger sends can look like another.
    if session.printer.format != .jsonl {
      for row in text { session.printer.line("identify", "identity", session.target, row) }
      return
    }
    session.printer.line("identify", "identity", session.target, nil) { writer, _ in
      write(identity, to: &writer)
    }
  }

  private static func write(_ identity: TrackerIdentity, to writer: inout JSONFieldWriter) {
    if let bytes = identity.productData { writer.hex("productData", bytes.span) }
    if let text = identity.manufacturer { writer.string("manufacturer", text) }
    if let text = identity.model { writer.string("model", text) }
    if let number = identity.category { writer.integer("category", Int64(number)) }
    if let text = identity.categoryName { writer.string("categoryName", text) }
    if let version = identity.protocolVersion {
      writer.string("protocolVersion", version.description)
    }
    if let capabilities = identity.capabilities {
      writer.beginList("capabilities")
      for name in capabilities.names { writer.element(name) }
      writer.endList()
    }
    if let number = identity.network { writer.integer("network", Int64(number)) }
    if let text = identity.networkName { writer.string("networkName", text) }
    if let version = identity.firmware { writer.string("firmware", version.description) }
    if let text = identity.batteryTypeName { writer.string("batteryType", text) }
    if let text = identity.batteryLevelName {
      // IETF DULT has "full" and "medium" besides; both are normal.
      writer.string("battery", ["low", "critical"].contains(text) ? text : "normal")
    }
    if let version = identity.networkVersion {
      writer.string("networkVersion", version.description)
    }
    if let bytes = identity.identifier { writer.hex("encryptedIdentifier", bytes.span) }
  }

  private static func rows(_ identity: TrackerIdentity) -> [(String, String)] {
    func hex(_ bytes: [UInt8]?) -> String? { bytes.map { Hex.lower($0.span) } }
    let rows: [(String, String?)] = [
      ("Manufacturer", identity.manufacturer), ("Model", identity.model),
      ("Category", identity.categoryName ?? identity.category.map { "\($0)" }),
      ("Network", identity.networkName ?? identity.network.map { "\($0)" }),
      ("Firmware", identity.firmware?.description), ("Battery", identity.batteryLevelName),
      ("Battery type", identity.batteryTypeName),
      ("Capabilities", identity.capabilities.map { $0.names.joined(separator: ", ") }),
      ("Protocol version", identity.protocolVersion?.description),
      ("Network version", identity.networkVersion?.description),
      ("Product data", hex(identity.productData)),
      ("Encrypted identifier", hex(identity.identifier)),
    ]
    return rows.compactMap { name, value in value.map { (name, $0) } }
  }
}
