/// Where to look for a tracker that was missed, while unknown frames are heard (PROTOCOL.md, 11.3).
public struct WideSearch: Hashable, Sendable {
  /// From 30 days behind to five periods ahead.
  public let tier2: PeriodRange
  /// Everything since onboarding, to one day ahead.
  public let tier3: PeriodRange

  private static let day: Int64 = 86_400_000

  /// The ranges at a time.
  ///
  /// - Parameters:
  ///   - time: the owner's Unix ms.
  ///   - onboardingTimestamp: the time that the tracker was given, Unix s.
  public init(at time: Int64, onboardingTimestamp: UInt32) {
    let onboarding = WideSearch.firstPeriod(onboardingTimestamp: onboardingTimestamp)
    let earliest = time.clampedSubtracting(30 * WideSearch.day + Period.rotationDelayLimit)
    let now = floorDivide(time, Period.milliseconds)
    tier2 = PeriodRange(
      first: max(onboarding, Period.number(at: earliest)), last: UInt32(clamping: now + 5))
    tier3 = PeriodRange(
      first: onboarding, last: Period.number(at: time.clampedAdding(WideSearch.day)))
  }

  /// The first period that a tracker can have shown since it was onboarded.
  ///
  /// - Parameter onboardingTimestamp: the time that the tracker was given, Unix s.
  public static func firstPeriod(onboardingTimestamp: UInt32) -> UInt32 {
    Period.number(at: 1000 * Int64(onboardingTimestamp) - 2000 - Period.rotationDelayLimit)
  }
}
