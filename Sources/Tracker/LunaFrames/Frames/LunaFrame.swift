/// The frame of a LunaTracker in BLE mode (PROTOCOL.md, 7): everything that a finder needs to report
/// it and an owner to recognise it.
public struct LunaFrame: Hashable, Sendable {
  /// The number of bytes of an encoded frame: a whole legacy PDU.
  public static let byteCount = 31

  /// The number of bytes behind the company identifier.
  public static let manufacturerDataCount = 20

  /// The adopted service (Tx Power) that the frame lists.
  public static let serviceUUID: UInt16 = 0x1804

  /// The version that this implementation speaks.
  public static let protocolVersion: UInt8 = 1

  /// The companies whose frames are taken unless configured otherwise: the one for tests.
  public static let defaultCompanies: [UInt16] = [0xFFFF]

  /// The company identifier (Assigned Numbers, 7); 0xFFFF for tests.
  public var companyIdentifier: UInt16
  /// Whether the tracker says that it accepts connections now.
  public var isConnectable: Bool
  /// Whether the tracker is in factory state and waits to be onboarded.
  public var isOnboardable: Bool
  /// Whether the tracker says that it has not met its owner for more than 30 minutes.
  public var isSeparated: Bool
  /// The lowest byte of the period on air; 0 in factory state.
  public var keyRollingCounter: UInt8
  /// What the owner recognises.
  public var eid: EID
  /// What opens, with `eid`, the reports of this period.
  public var aotp: AOTP
  /// The encrypted status, or the hint to the onboarding code in factory state.
  public var esf: ESF

  /// A frame of these fields. The caller sees to it that neither identifier is zero: receivers
  /// refuse that.
  public init(
    companyIdentifier: UInt16 = 0xFFFF, isConnectable: Bool, isOnboardable: Bool,
    isSeparated: Bool, keyRollingCounter: UInt8, eid: EID, aotp: AOTP, esf: ESF
  ) {
    self.companyIdentifier = companyIdentifier
    self.isConnectable = isConnectable
    self.isOnboardable = isOnboardable
    self.isSeparated = isSeparated
    self.keyRollingCounter = keyRollingCounter
    self.eid = eid
    self.aotp = aotp
    self.esf = esf
  }

  /// The 31 bytes of advertising data.
  public var encoded: InlineArray<31, UInt8> {
    var bytes: InlineArray<31, UInt8> = [
      0x02, 0x01, 0x06, 0x03, 0x03, 0x04, 0x18, 0x17, 0xFF,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
    bytes[9] = UInt8(truncatingIfNeeded: companyIdentifier)
    bytes[10] = UInt8(truncatingIfNeeded: companyIdentifier >> 8)
    bytes[11] =
      LunaFrame.protocolVersion << 4 | (isConnectable ? 1 : 0) | (isOnboardable ? 2 : 0)
      | (isSeparated ? 4 : 0)
    bytes[12] = keyRollingCounter
    var span = bytes.mutableSpan
    span.setBigEndian(eid.value, at: 13, count: EID.byteCount)
    span.setBigEndian(aotp.value, at: 21, count: AOTP.byteCount)
    span.setBigEndian(UInt64(esf.value), at: 28, count: ESF.byteCount)
    return bytes
  }
}
