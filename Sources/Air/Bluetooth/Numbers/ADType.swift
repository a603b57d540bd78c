/// The type of an AD structure (Assigned Numbers, 2.3, Common Data Types).
public struct ADType: RawRepresentable, Hashable, Sendable {
  /// The octet behind the length of a structure; those that are not assigned are kept, too.
  public let rawValue: UInt8

  /// A type from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The name; nil when the number is not assigned.
  public var name: StaticString? {
    switch rawValue {
    case 0x01: "Flags"
    case 0x02: "Incomplete List of 16-bit Service Class UUIDs"
    case 0x03: "Complete List of 16-bit Service Class UUIDs"
    case 0x04: "Incomplete List of 32-bit Service Class UUIDs"
    case 0x05: "Complete List of 32-bit Service Class UUIDs"
    case 0x06: "Incomplete List of 128-bit Service Class UUIDs"
    case 0x07: "Complete List of 128-bit Service Class UUIDs"
    case 0x08: "Shortened Local Name"
    case 0x09: "Complete Local Name"
    case 0x0A: "Tx Power Level"
    case 0x0D: "Class of Device"
    case 0x0E: "Simple Pairing Hash C-192"
    case 0x0F: "Simple Pairing Randomizer R-192"
    // The number has two meanings: Device ID in extended inquiry responses, this one in OOB data.
    case 0x10: "Security Manager TK Value"
    case 0x11: "Security Manager Out of Band Flags"
    case 0x12: "Peripheral Connection Interval Range"
    case 0x14: "List of 16-bit Service Solicitation UUIDs"
    case 0x15: "List of 128-bit Service Solicitation UUIDs"
    case 0x16: "Service Data - 16-bit UUID"
    case 0x17: "Public Target Address"
    case 0x18: "Random Target Address"
    case 0x19: "Appearance"
    case 0x1A: "Advertising Interval"
    case 0x1B: "LE Bluetooth Device Address"
    case 0x1C: "LE Role"
    case 0x1D: "Simple Pairing Hash C-256"
    case 0x1E: "Simple Pairing Randomizer R-256"
    case 0x1F: "List of 32-bit Service Solicitation UUIDs"
    case 0x20: "Service Data - 32-bit UUID"
    case 0x21: "Service Data - 128-bit UUID"
    case 0x22: "LE Secure Connections Confirmation Value"
    case 0x23: "LE Secure Connections Random Value"
    case 0x24: "URI"
    case 0x25: "Indoor Positioning"
    case 0x26: "Transport Discovery Data"
    case 0x27: "LE Supported Features"
    case 0x28: "Channel Map Update Indication"
    case 0x29: "PB-ADV"
    case 0x2A: "Mesh Message"
    case 0x2B: "Mesh Beacon"
    case 0x2C: "BIGInfo"
    case 0x2D: "Broadcast_Code"
    case 0x2E: "Resolvable Set Identifier"
    case 0x2F: "Advertising Interval - long"
    case 0x30: "Broadcast_Name"
    case 0x31: "Encrypted Advertising Data"
    case 0x32: "Periodic Advertising Response Timing Information"
    case 0x34: "Electronic Shelf Label"
    case 0x3D: "3D Information Data"
    case 0xFF: "Manufacturer Specific Data"
    default: nil
    }
  }
}
