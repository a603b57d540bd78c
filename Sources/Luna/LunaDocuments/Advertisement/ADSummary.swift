import Bluetooth
package import SafeText

/// One walk over advertising data: which structures are there, and the small values among them.
package struct ADSummary {
  package static let manufacturerData: UInt8 = 0xFF

  /// How wide the UUIDs of a list of services are; nil for other AD types.
  package static func serviceListWidth(_ type: UInt8) -> Int? {
    switch type {
    case 0x02, 0x03: 2
    case 0x04, 0x05: 4
    case 0x06, 0x07: 16
    default: nil
    }
  }

  /// How wide the UUIDs of a list of solicited services are; nil for other AD types.
  package static func solicitationListWidth(_ type: UInt8) -> Int? {
    switch type {
    case 0x14: 2
    case 0x1F: 4
    case 0x15: 16
    default: nil
    }
  }

  /// How many bytes of UUID begin the service data of an AD type; nil for other types.
  package static func serviceDataWidth(_ type: UInt8) -> Int? {
    switch type {
    case 0x16: 2
    case 0x20: 4
    case 0x21: 16
    default: nil
    }
  }

  package private(set) var flags: UInt8?
  package private(set) var txPower: Int8?
  package private(set) var appearance: UInt16?
  package private(set) var hasServices = false
  package private(set) var hasSolicitations = false
  package private(set) var hasServiceData = false
  package private(set) var hasManufacturerData = false
  package private(set) var malformed = false
  private var completeName: ADStructure?
  private var shortenedName: ADStructure?
  private var uriStructure: ADStructure?

  /// Of structures that should come once, the first counts.
  package init(_ bytes: Span<UInt8>) {
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes) {
      switch structure.type {
      case 0x01: if flags == nil, structure.count >= 1 { flags = bytes[structure.offset] }
      case 0x02...0x07: hasServices = true
      case 0x08: if shortenedName == nil { shortenedName = structure }
      case 0x09: if completeName == nil { completeName = structure }
      case 0x0A:
        if txPower == nil, structure.count >= 1 {
          txPower = Int8(bitPattern: bytes[structure.offset])
        }
      case 0x14, 0x15, 0x1F: hasSolicitations = true
      case 0x16, 0x20, 0x21:
        // What is shorter than its UUID says nothing, not even that there is nothing.
        if let width = ADSummary.serviceDataWidth(structure.type), structure.count >= width {
          hasServiceData = true
        }
      case 0x19:
        if appearance == nil, structure.count >= 2 {
          appearance = UInt16(bytes[structure.offset]) | UInt16(bytes[structure.offset + 1]) << 8
        }
      case 0x24: if uriStructure == nil { uriStructure = structure }
      case ADSummary.manufacturerData:
        if structure.count >= 2 { hasManufacturerData = true }
      default: break
      }
    }
    malformed = reader.malformed
  }

  /// Whether the name is not a shortened one.
  package var hasCompleteName: Bool { completeName != nil }

  /// The complete name, else the shortened one. Names are padded with NUL by some makers: it ends
  /// there. What is not UTF-8 becomes U+FFFD.
  package func name(in bytes: Span<UInt8>) -> ForeignText? {
    guard let structure = completeName ?? shortenedName else { return nil }
    var text: [UInt8] = []
    for index in structure.range {
      guard bytes[index] != 0 else { break }
      text.append(bytes[index])
    }
    return ForeignText(utf8: text)
  }

  /// The URI; its first character may stand for a scheme (Assigned Numbers, 2.7), which is spelled
  /// out here for the two that are in use, and left out where it stands for none.
  package func uri(in bytes: Span<UInt8>) -> ForeignText? {
    guard let structure = uriStructure else { return nil }
    let text = String(decoding: structure.range.map { bytes[$0] }, as: UTF8.self)
    switch text.unicodeScalars.first?.value {
    case 0x01: return ForeignText(text.dropFirst())
    case 0x16: return ForeignText("http:" + text.dropFirst())
    case 0x17: return ForeignText("https:" + text.dropFirst())
    default: return ForeignText(text)
    }
  }
}
