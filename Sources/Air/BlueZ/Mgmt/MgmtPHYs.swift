/// The PHYs of Get and Set PHY Configuration.
struct MgmtPHYs: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  static let le2MReceive = MgmtPHYs(rawValue: 1 << 12)
  static let leCodedTransmit = MgmtPHYs(rawValue: 1 << 13)
  static let leCodedReceive = MgmtPHYs(rawValue: 1 << 14)
}
