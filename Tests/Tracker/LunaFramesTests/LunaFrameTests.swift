import Bluetooth
import LunaFrames
import Testing

struct LunaFrameTests {
  /// The frame of PROTOCOL.md, 18.
  static let anchor = LunaFrame(
    isConnectable: true, isOnboardable: false, isSeparated: false, keyRollingCounter: 0xFC,
    eid: EID(value: 0xB6E7_B607_BDC2_304A), aotp: AOTP(value: 0xE5_C801_3424_402B),
    esf: ESF(value: 0xA77593))

  static let flags = "020106"
  static let services = "03030418"
  static let manufacturer = "17ffffff11fcb6e7b607bdc2304ae5c8013424402ba77593"

  private func decode(
    _ text: String, companies: [UInt16] = LunaFrame.defaultCompanies
  ) throws(LunaFrameRejection) -> LunaFrame {
    let bytes = Hex.bytes(text) ?? []
    return try LunaFrame(advertisingData: bytes.span, companies: companies)
  }

  @Test func anchorEncodes() {
    #expect(
      Hex.lower(Self.anchor.encoded.span) == Self.flags + Self.services + Self.manufacturer)
  }

  @Test func anchorDecodesInAnyOrder() throws {
    #expect(try decode(Self.flags + Self.services + Self.manufacturer) == Self.anchor)
    #expect(try decode(Self.manufacturer + Self.services) == Self.anchor)
  }

  @Test func companiesAreConfigurable() throws {
    let text = Self.services + "17ff341211fcb6e7b607bdc2304ae5c8013424402ba77593"
    #expect(throws: LunaFrameRejection.foreignCompany) { try decode(text) }
    #expect(try decode(text, companies: [0x1234]).companyIdentifier == 0x1234)
  }

  @Test(
    arguments: [
      ("03030418" + "17ffffff11fcb6e7b607bdc2304ae5c8013424402ba775", .malformed),
      ("0403041800" + manufacturer, .malformed),
      ("0316041803ffffff", .noService),
      (services + "02ffff", .noManufacturerData),
      (services + "03ff5900", .foreignCompany),
      (services + "03ffffff", .badLength),
      (services + "04ffffff21", .unsupportedVersion),
      (services + "04ffffff11", .badLength),
      (services + "17ffffff19fcb6e7b607bdc2304ae5c8013424402ba77593", .reservedBit),
      (services + "17ffffff11fc0000000000000000e5c8013424402ba77593", .zeroIdentifier),
      (services + "17ffffff11fcb6e7b607bdc2304a00000000000000a77593", .zeroIdentifier),
    ] as [(String, LunaFrameRejection)])
  func firstFailingRuleIsNamed(text: String, rejection: LunaFrameRejection) {
    #expect(throws: rejection) { try decode(text) }
  }

  @Test func manufacturerDataAloneFollowRules5To9() throws {
    let bytes = Hex.bytes(Self.manufacturer.dropFirst(8)) ?? []
    #expect(
      try LunaFrame(companyIdentifier: 0xFFFF, manufacturerData: bytes.span) == Self.anchor)
    for count in 0..<20 {
      #expect(throws: LunaFrameRejection.badLength) {
        try LunaFrame(
          companyIdentifier: 0xFFFF, manufacturerData: bytes.span.extracting(first: count))
      }
    }
  }

  @Test func descriptionsHideTheAOTP() {
    #expect(!"\(Self.anchor)".contains("c8013424"))
    #expect(!"\(Self.anchor.aotp)".contains("\(Self.anchor.aotp.value)"))
  }
}
