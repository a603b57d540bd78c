public import LunaProtocol

/// What a tracker keeps without power: its flash.
public struct TrackerRecord: Equatable, Sendable {
  /// What onboarding gave.
  public struct Ownership: Equatable, Sendable {
    /// The UUID that the tracker gave itself.
    public var uuid: DeviceUUID
    /// What all its keys come from (PROTOCOL.md, 3).
    public var masterKey: MasterKey
    /// When it was onboarded, Unix s.
    public var onboardingTimestamp: UInt32

    /// An ownership of these parts.
    public init(uuid: DeviceUUID, masterKey: MasterKey, onboardingTimestamp: UInt32) {
      self.uuid = uuid
      self.masterKey = masterKey
      self.onboardingTimestamp = onboardingTimestamp
    }
  }

  /// How many failed attempts of onboarding lock a tracker (PROTOCOL.md, 14).
  public static let failureLimit: UInt8 = 5

  /// The code on the label.
  public var code: OnboardingCode
  /// The owner; nil in factory state.
  public var ownership: Ownership?
  /// The period that was stored last (PROTOCOL.md, 4).
  public var storedPeriod: UInt32 = 0
  /// The counter of the command that was executed last.
  public var lastCounter: UInt32 = 0
  /// The tracker's clock when it met its owner last, ms.
  public var ownerMetAt: Int64 = 0
  /// Whether the clock was lost and not set since.
  public var isClockUncertain = false
  /// Attempts of onboarding that failed since the button was pressed.
  public var failures: UInt8 = 0

  /// A tracker in factory state.
  public init(code: OnboardingCode) { self.code = code }

  /// A tracker that was just onboarded.
  ///
  /// - Parameter ownership: its timestamp is what its clock shows.
  public init(code: OnboardingCode, ownership: Ownership) {
    self.code = code
    let clock = Int64(ownership.onboardingTimestamp) * 1000
    self.ownership = ownership
    ownerMetAt = clock
    // The delay of the current rotation may not be over: the period before may still be shown.
    let period = Period.number(at: clock)
    storedPeriod = period == 0 ? 0 : period - 1
  }

  /// The state that anyone can read.
  public var state: OnboardingState {
    if ownership != nil { return .keyed }
    return failures >= TrackerRecord.failureLimit ? .locked : .factory
  }
}
