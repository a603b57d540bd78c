/// What an accessory can ("Accessory capabilities" of the draft).
public struct DULTCapabilities: OptionSet, Hashable, Sendable {
  /// The bits of the draft, those that it does not name among them.
  public let rawValue: UInt32

  /// Capabilities of a number.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// It can sound.
  public static let sound = DULTCapabilities(rawValue: 1)
  /// It notices that it is moved while separated.
  public static let motionDetector = DULTCapabilities(rawValue: 2)
  /// It tells its identifier over NFC.
  public static let identifierByNFC = DULTCapabilities(rawValue: 4)
  /// It tells its identifier over Bluetooth LE.
  public static let identifierByBLE = DULTCapabilities(rawValue: 8)

  /// A word for each that is known.
  public var names: [String] {
    [
      (DULTCapabilities.sound, "sound"), (.motionDetector, "motionDetector"),
      (.identifierByNFC, "identifierByNFC"), (.identifierByBLE, "identifierByBLE"),
    ].filter { contains($0.0) }.map(\.1)
  }
}
