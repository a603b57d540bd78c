/// Which periods an owner asks the backend for (PROTOCOL.md, 10).
public enum QueryRange {
  /// The longest time that may be asked for at once: 366 days, ms.
  public static let longest: Int64 = 366 * 86_400_000
  /// The most heids that go into one query.
  public static let blockSize = 1024

  /// The periods whose reports may have been collected between two times; none when that lies
  /// before onboarding.
  ///
  /// - Parameters:
  ///   - start: Unix ms.
  ///   - end: Unix ms.
  ///   - clock: what is known of the tracker's clock.
  ///   - ppm: the bound of the oscillator's error.
  ///   - onboardingTimestamp: the time that the tracker was given, Unix s.
  public static func periods(
    from start: Int64, to end: Int64, clock: ClockInterval, ppm: Int64 = ClockInterval.defaultPPM,
    onboardingTimestamp: UInt32
  ) throws(QueryRangeRejection) -> PeriodRange {
    guard end > start else { throw .emptyRange }
    guard end.clampedSubtracting(start) <= longest else { throw .rangeTooLong }
    let periods = clock.periods(from: start, to: end, ppm: ppm)
    return PeriodRange(
      first: max(
        periods.first, WideSearch.firstPeriod(onboardingTimestamp: onboardingTimestamp)),
      last: periods.last)
  }
}
