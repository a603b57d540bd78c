/// A physical layer, as the advertising reports code it (Core Specification, Vol 4, Part E, 7.7.65.13).
public struct PHY: RawRepresentable, Hashable, Sendable {
  /// The code of an advertising report: 0 for none, 1 to 3 for those that have a name here, and 4 where a
  /// host asked which coding an LE Coded one had (Advertising Coding Selection): S=2, and 3 is S=8 then.
  public let rawValue: UInt8

  /// A PHY from its HCI code.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// No packets on the secondary channel, or not known.
  public static let none = PHY(rawValue: 0)
  /// LE 1M: 1 Mbit/s, which every device has.
  public static let le1M = PHY(rawValue: 1)
  /// LE 2M: 2 Mbit/s.
  public static let le2M = PHY(rawValue: 2)
  /// LE Coded: 125 or 500 kbit/s, for a longer range.
  public static let leCoded = PHY(rawValue: 3)

  /// Those that have a name.
  public static let named: [PHY] = [.le1M, .le2M, .leCoded]

  /// `1M`, `2M` or `Coded`; nil for none and for codes that are not defined.
  public var name: StaticString? {
    switch self {
    case .le1M: "1M"
    case .le2M: "2M"
    case .leCoded, PHY(rawValue: 4): "Coded"
    default: nil
    }
  }
}
