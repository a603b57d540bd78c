import Bluetooth
import LunaBuzzer
import LunaDocuments
import LunaProtocol
import TerminalTable

extension IdentityDocument {
  /// Prints a line of JSON, or several for a person.
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
