/// A day of the Gregorian calendar.
public struct CivilDate: Hashable, Comparable, Sendable {
  /// Days since 1970-01-01, negative before (proleptic Gregorian calendar).
  public let days: Int

  /// The day so many days after 1970-01-01.
  public init(days: Int) { self.days = days }

  /// Reads `2026-12-31`; nil for a day that does not exist.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), year >= 1,
      (1...12).contains(month), day >= 1, day <= CivilDate.length(of: month, in: year)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// A day of a month, which may be beyond its end.
  public init(year: Int, month: Int, day: Int) {
    // Years begin in March, so that the leap day is the last one.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    days = era * 146_097 + dayOfEra - 719_468
  }

  /// The day of the week; 0 is Monday.
  public var weekday: Int {
    let remainder = (days + 3) % 7
    return remainder < 0 ? remainder + 7 : remainder
  }

  /// Year, month and day.
  public var parts: (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// How many days a month has.
  static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  static func isLeap(_ year: Int) -> Bool {
    year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
  }

  /// Orders by time.
  public static func < (left: CivilDate, right: CivilDate) -> Bool { left.days < right.days }
}

extension CivilDate: CustomStringConvertible {
  /// The day as `2026-12-31`.
  public var description: String {
    let (year, month, day) = parts
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
  }
}
