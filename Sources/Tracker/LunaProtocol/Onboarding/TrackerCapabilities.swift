/// What a tracker has (PROTOCOL.md, 13).
public struct TrackerCapabilities: OptionSet, Hashable, Sendable {
  /// The bits of the wire.
  public let rawValue: UInt16

  /// Capabilities from their bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// It can make a sound.
  public static let buzzer = TrackerCapabilities(rawValue: 1 << 0)
  /// It can blink.
  public static let light = TrackerCapabilities(rawValue: 1 << 1)
  /// It has the non-owner sound service.
  public static let nonOwnerSound = TrackerCapabilities(rawValue: 1 << 2)
  /// It has a button.
  public static let button = TrackerCapabilities(rawValue: 1 << 3)

  /// The bits that have a meaning.
  static let all: TrackerCapabilities = [.buzzer, .light, .nonOwnerSound, .button]
}
