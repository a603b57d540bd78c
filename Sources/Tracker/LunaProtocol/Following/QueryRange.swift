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

  /// When reports of some periods can have been collected: what ``ReportTime`` calls plausible, from the first
  /// period's earliest to the last one's latest, Unix ms.
  ///
  /// - Parameters:
  ///   - periods: not empty.
  ///   - clock: what is known of the tracker's clock.
  ///   - ppm: the bound of the oscillator's error.
  public static func collection(
    of periods: PeriodRange, clock: ClockInterval, ppm: Int64 = ClockInterval.defaultPPM
  ) -> ClosedRange<Int64> {
    let start = Period.start(of: periods.first)
    let end = Period.windowEnd(of: periods.last)
    let earliest = start.clampedSubtracting(max(0, clock.aged(to: start, ppm: ppm).high))
      .clampedSubtracting(ReportTime.finderSlack)
    let latest = end.clampedSubtracting(min(0, clock.aged(to: end, ppm: ppm).low))
      .clampedAdding(ReportTime.finderSlack)
    return earliest...max(earliest, latest)
  }
}
