import Bluetooth
package import LunaBuzzer
import LunaProtocol

/// What a tracker told of itself, as fields of a JSON line.
package enum IdentityDocument {
  /// How its battery is, in the words of all documents; nil where it did not tell.
  package static func battery(_ identity: TrackerIdentity) -> String? {
    // IETF DULT has "full" and "medium" besides; both are normal.
    identity.batteryLevelName.map { ["low", "critical"].contains($0) ? $0 : "normal" }
  }

  package static func write(_ identity: TrackerIdentity, to writer: inout JSONFieldWriter) {
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
    if let text = battery(identity) { writer.string("battery", text) }
    if let version = identity.networkVersion {
      writer.string("networkVersion", version.description)
    }
    if let bytes = identity.identifier { writer.hex("encryptedIdentifier", bytes.span) }
  }

  /// The same for people, a line each; what it says stands as it came.
  package static func lines(_ identity: TrackerIdentity) -> [String] {
    let rows = rows(identity)
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, value in
      name + String(repeating: " ", count: width - name.count + 2) + value
    }
  }

  private static func rows(_ identity: TrackerIdentity) -> [(String, String)] {
    func hex(_ bytes: [UInt8]?) -> String? { bytes.map { Hex.lower($0.span) } }
    let rows: [(String, String?)] = [
      ("Manufacturer", identity.manufacturer), ("Model", identity.model),
      ("Category", identity.categoryName ?? identity.category.map { "\($0)" }),
      ("Network", identity.networkName ?? identity.network.map { "\($0)" }),
      ("Firmware", identity.firmware?.description), ("Battery", battery(identity)),
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
