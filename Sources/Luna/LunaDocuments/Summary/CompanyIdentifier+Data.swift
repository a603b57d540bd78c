import Bluetooth

extension CompanyIdentifier {
  /// The identifier that nobody owns, which tests and development boards use.
  static let test = CompanyIdentifier(0xFFFF)

  /// The identifier that begins the first manufacturer data in advertising data.
  static func first(in bytes: Span<UInt8>) -> CompanyIdentifier? {
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes) {
      guard structure.type == ADSummary.manufacturerData, structure.count >= 2 else { continue }
      return CompanyIdentifier(
        UInt16(bytes[structure.offset]) | UInt16(bytes[structure.offset + 1]) << 8)
    }
    return nil
  }
}
