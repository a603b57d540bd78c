/// Where to look for a tracker that was missed, while unknown frames are heard (PROTOCOL.md, 11.3).
public struct WideSearch: Hashable, Sendable {
  /// From 30 days behind to five periods ahead.
  public let tier2: PeriodRange
  /// Everything since onboarding, to one day ahead.
  public let tier3: PeriodRange

  private static let day: Int64 = 86_400_000

  /// The ranges at a time for a LunaTracker.
  ///
  /// - Parameters:
  ///   - time: the owner's Unix ms.
  ///   - onboardingTimestamp: the time that the tracker was given, Unix s.
  public init(at time: Int64, onboardingTimestamp: UInt32) {
    self.init(at: time, onboarding: 1000 * Int64(onboardingTimestamp), rotation: .luna)
  }

  /// The ranges at a time for a device with any schedule.
  ///
  /// - Parameters:
  ///   - time: the owner's Unix ms.
  ///   - onboarding: when the device's clock was known, Unix ms.
  public init(at time: Int64, onboarding: Int64, rotation: RotationSchedule) {
    let delay = rotation.delayLimit
    let start = rotation.number(at: onboarding.clampedSubtracting(delay.clampedAdding(2000)))
    let month = time.clampedSubtracting((30 * WideSearch.day).clampedAdding(delay))
    tier2 = PeriodRange(
      first: max(start, rotation.number(at: month)),
      last: rotation.number(at: time.clampedAdding(rotation.period.clampedMultiplied(by: 5))))
    tier3 = PeriodRange(
      first: start, last: rotation.number(at: time.clampedAdding(WideSearch.day)))
  }

  /// The first period that a tracker can have shown since it was onboarded.
  ///
  /// - Parameter onboardingTimestamp: the time that the tracker was given, Unix s.
  public static func firstPeriod(onboardingTimestamp: UInt32) -> UInt32 {
    Period.number(at: 1000 * Int64(onboardingTimestamp) - 2000 - Period.rotationDelayLimit)
  }
}
