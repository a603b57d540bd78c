/// What an adapter can do, as far as it could be found out.
public struct AdapterFeatures: OptionSet, Hashable, Sendable {
  /// A bit for each feature, in the order in which they are declared; of this program, not of HCI.
  public let rawValue: UInt8

  /// Features from their bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Bluetooth LE.
  public static let lowEnergy = AdapterFeatures(rawValue: 1 << 0)
  /// LE advertising extensions.
  public static let extendedAdvertising = AdapterFeatures(rawValue: 1 << 1)
  /// The LE 2M PHY.
  public static let phy2M = AdapterFeatures(rawValue: 1 << 2)
  /// The LE Coded PHY.
  public static let phyCoded = AdapterFeatures(rawValue: 1 << 3)
  /// Which PHYs and whether advertising extensions are there is known; otherwise their absence
  /// means nothing.
  public static let physKnown = AdapterFeatures(rawValue: 1 << 4)
}
