/// What a tracker knows when a control package arrives (PROTOCOL.md, 12.2).
public struct ControlSituation: Sendable {
  /// The period b on air.
  public var periodOnAir: UInt32
  /// The counter of the last command that was executed.
  public var lastCounter: UInt32
  /// The tracker's clock, Unix s.
  public var clock: UInt32
  /// The challenge that was read on this connection and still lives.
  public var challenge: ControlChallenge?
  /// Whether the tracker is starting or updating its firmware.
  public var isBusy: Bool
  /// Whether too many commands were executed lately.
  public var isLimited: Bool

  /// A situation of these parts.
  public init(
    periodOnAir: UInt32, lastCounter: UInt32, clock: UInt32, challenge: ControlChallenge? = nil,
    isBusy: Bool = false, isLimited: Bool = false
  ) {
    self.periodOnAir = periodOnAir
    self.lastCounter = lastCounter
    self.clock = clock
    self.challenge = challenge
    self.isBusy = isBusy
    self.isLimited = isLimited
  }
}
