public import LunaProtocol

/// What was heard, by what it was.
public struct LocalCounters: Hashable, Sendable {
  /// Reports of any kind.
  public var reports: UInt64 = 0
  /// Reports of one's own devices.
  public var tracked: UInt64 = 0
  /// Reports of foreign trackers and of those that wait to be onboarded.
  public var foreign: UInt64 = 0
  /// Frames like those of LunaTrackers that were refused, by the first rule that failed. Those
  /// without the service or manufacturer data are something else, and not counted.
  public var refused: [LunaFrameRejection: UInt64] = [:]

  /// All zero.
  public init() {}
}
