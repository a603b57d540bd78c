/// A date of the proleptic Gregorian calendar from a count of days.
///
/// The arithmetic counts years from March, so that the leap day is the last of its year, in eras of
/// 400 years (146,097 days).
struct CivilDate {
  let year: Int64
  /// 1–12.
  let month: Int64
  /// 1–31.
  let day: Int64

  /// The date `days` after 1970-01-01.
  init(daysSinceEpoch days: Int64) {
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
}
