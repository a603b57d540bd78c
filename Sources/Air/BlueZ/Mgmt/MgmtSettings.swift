/// What an adapter supports, or what is switched on (Read Controller Information).
struct MgmtSettings: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  static let powered = MgmtSettings(rawValue: 1 << 0)
  static let lowEnergy = MgmtSettings(rawValue: 1 << 9)
}
