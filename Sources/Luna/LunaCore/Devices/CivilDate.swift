/// A date of the proleptic Gregorian calendar.
///
/// The arithmetic counts years from March, so that the leap day is the last of its year, in eras of
/// 400 years (146,097 days).
package struct CivilDate: Hashable, Sendable {
  /// The year; 0 is 1 BC.
  package let year: Int64
  /// 1–12.
  package let month: Int64
  /// 1–31.
  package let day: Int64

  /// The date `days` after 1970-01-01.
  package init(daysSinceEpoch days: Int64) {
    let shifted = days + 719_468  // from 0000-03-01
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// A date of the calendar.
  ///
  /// - Parameter year: at most four digits.
  /// - Returns: nil when there is no such day.
  package init?(year: Int64, month: Int64, day: Int64) {
    guard (-9999...9999).contains(year), (1...12).contains(month), (1...31).contains(day) else {
      return nil
    }
    self.year = year
    self.month = month
    self.day = day
    // The 30th of February counts as the first or second of March.
    guard CivilDate(daysSinceEpoch: daysSinceEpoch) == self else { return nil }
  }

  /// The days since 1970-01-01.
  package var daysSinceEpoch: Int64 {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
