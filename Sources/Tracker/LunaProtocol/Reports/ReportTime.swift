/// Whether and when a report can have been made (PROTOCOL.md, 9.2 and 9.3).
public enum ReportTime {
  /// The error F that a finder's clock is granted, ms.
  public static let finderSlack: Int64 = 60_000

  /// Whether a report of a period can have been collected at a time.
  ///
  /// - Parameters:
  ///   - collectedAt: the time that the report gives, Unix ms.
  ///   - period: the period b of its heid.
  ///   - low: the lower bound of the tracker's clock error, aged to `collectedAt`, ms
  ///     (``ClockInterval/low``); `high` likewise. 0 when nothing is known.
  ///   - slack: the error granted to the finder's clock, ms.
  public static func isPlausible(
    collectedAt: Int64, period: UInt32, low: Int64 = 0, high: Int64 = 0,
    slack: Int64 = finderSlack
  ) -> Bool {
    let earliest = Period.start(of: period).clampedSubtracting(high).clampedSubtracting(slack)
    let end = Period.windowEnd(of: period).clampedSubtracting(low).clampedAdding(slack)
    return earliest <= collectedAt && collectedAt < end
  }

  /// The day on which a report is filed: the UTC date of its collection, `2026-11-21`.
  ///
  /// - Parameter collectedAt: Unix ms.
  public static func day(of collectedAt: Int64) -> String {
    // The civil calendar from the day count, with years that begin in March: the leap day is last.
    let day = floorDivide(collectedAt, 86_400_000) + 719_468
    let era = floorDivide(day, 146_097)
    let dayOfEra = day - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return
      "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfYear - (153 * marchMonth + 2) / 5 + 1, 2))"
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
