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
}
