import Bluetooth

extension LunaFrame {
  /// Decodes advertising data by the whole accept test (PROTOCOL.md, 7), rules 1 to 9 in order.
  ///
  /// - Parameters:
  ///   - bytes: the advertising data of one PDU, also longer than 31 bytes.
  ///   - companies: the company identifiers that are taken.
  /// - Throws: the first rule that failed.
  public init(
    advertisingData bytes: Span<UInt8>, companies: [UInt16] = LunaFrame.defaultCompanies
  ) throws(LunaFrameRejection) {
    var listsService = false
    var hasOddList = false
    var hasManufacturerData = false
    var company: UInt16 = 0
    var frame: ADStructure?
    var reader = ADStructureReader()
    while let structure = reader.next(in: bytes) {
      switch structure.type {
      case 0x02, 0x03:
        if structure.count & 1 != 0 { hasOddList = true }
        for pair in 0..<structure.count / 2
        where bytes.uncheckedLittleEndian16(at: structure.offset &+ 2 &* pair)
          == LunaFrame.serviceUUID
        {
          listsService = true
        }
      case 0xFF where structure.count >= 2:
        hasManufacturerData = true
        let identifier = bytes.uncheckedLittleEndian16(at: structure.offset)
        if frame == nil, companies.contains(identifier) {
          frame = structure
          company = identifier
        }
      default: break
      }
    }
    if reader.malformed || hasOddList { throw .malformed }
    guard listsService else { throw .noService }
    guard hasManufacturerData else { throw .noManufacturerData }
    guard let frame else { throw .foreignCompany }
    try self.init(
      companyIdentifier: company, manufacturerData: bytes.extracting(frame.range.dropFirst(2)))
  }

  /// Decodes manufacturer data that were found already, as hosts hand them out: rules 5 to 9. The
  /// caller has seen the service 0x1804 (rule 2) and allowed the company (rule 4).
  ///
  /// - Parameters:
  ///   - companyIdentifier: the company.
  ///   - bytes: what follows the company identifier, 20 bytes in a valid frame.
  /// - Throws: the first rule that failed.
  public init(
    companyIdentifier: UInt16, manufacturerData bytes: Span<UInt8>
  ) throws(LunaFrameRejection) {
    guard bytes.count >= 1 else { throw .badLength }
    let flags = bytes[0]
    guard flags >> 4 == LunaFrame.protocolVersion else { throw .unsupportedVersion }
    guard bytes.count == LunaFrame.manufacturerDataCount else { throw .badLength }
    guard flags & 8 == 0 else { throw .reservedBit }
    let eid = bytes.bigEndian(at: 2, count: EID.byteCount)
    let aotp = bytes.bigEndian(at: 10, count: AOTP.byteCount)
    guard eid != 0, aotp != 0 else { throw .zeroIdentifier }
    let esf = bytes.bigEndian(at: 17, count: ESF.byteCount)
    self.init(
      companyIdentifier: companyIdentifier, isConnectable: flags & 1 != 0,
      isOnboardable: flags & 2 != 0, isSeparated: flags & 4 != 0, keyRollingCounter: bytes[1],
      eid: EID(value: eid), aotp: AOTP(value: aotp),
      esf: ESF(value: UInt32(truncatingIfNeeded: esf)))
  }
}
