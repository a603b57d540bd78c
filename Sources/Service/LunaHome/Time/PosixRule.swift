/// The rule of a zone as POSIX writes it in `TZ`: `CET-1CEST,M3.5.0,M10.5.0/3`, with the hours beyond
/// a day that RFC 8536 allows.
struct PosixRule: Sendable {
  /// A day of each year.
  private enum Day {
    /// The weekday (0 is Sunday) of a week of a month; the fifth is the last one.
    case weekday(month: Int, week: Int, day: Int)
    /// The day of the year from 1, without February 29.
    case julian(Int)
    /// The day of the year from 0.
    case ofYear(Int)

    func date(_ year: Int) -> CivilDate {
      let start = CivilDate(year: year, month: 1, day: 1)
      switch self {
      case .julian(let day):
        return CivilDate(
          days: start.days + day - 1 + (CivilDate.isLeap(year) && day >= 60 ? 1 : 0))
      case .ofYear(let day): return CivilDate(days: start.days + day)
      case .weekday(let month, let week, let day):
        let first = CivilDate(year: year, month: month, day: 1)
        let ahead = (day + 6 - first.weekday) % 7
        var date = 1 + ahead + (week - 1) * 7
        while date > CivilDate.length(of: month, in: year) { date -= 7 }
        return CivilDate(days: first.days + date - 1)
      }
    }
  }

  private struct Summer {
    let offset: Int
    let start: (day: Day, second: Int)
    let end: (day: Day, second: Int)
  }

  private let standard: Int
  private let summer: Summer?

  init?(_ text: String) {
    var rest = text.utf8[...]
    guard PosixRule.skipName(&rest), let west = PosixRule.time(&rest) else { return nil }
    standard = -west
    if rest.isEmpty {
      summer = nil
      return
    }
    guard PosixRule.skipName(&rest) else { return nil }
    var offset = standard + 3600
    if let next = rest.first, next != UInt8(ascii: ",") {
      guard let west = PosixRule.time(&rest) else { return nil }
      offset = -west
    }
    guard let start = PosixRule.change(&rest), let end = PosixRule.change(&rest), rest.isEmpty
    else { return nil }
    summer = Summer(offset: offset, start: start, end: end)
  }

  func offset(at seconds: Int64) -> Int {
    guard let summer else { return standard }
    let day = seconds + Int64(standard)
    let year = CivilDate(days: Int(day >= 0 ? day / 86_400 : (day - 86_399) / 86_400)).parts.year
    // The last change that has happened holds.
    var latest: (at: Int64, offset: Int)?
    for year in year - 1...year + 1 {
      for change in changes(of: summer, year) where change.at <= seconds {
        // Of two at one moment, as in a zone with summer time all year, the later one holds.
        if latest.map({ change.at >= $0.at }) ?? true { latest = change }
      }
    }
    return latest?.offset ?? standard
  }

  /// The moments of change within some moments.
  func changes(in window: ClosedRange<Int64>) -> [Int64] {
    guard let summer else { return [] }
    func year(_ seconds: Int64) -> Int { CivilDate(days: Int(seconds / 86_400)).parts.year }
    return (year(window.lowerBound) - 1...year(window.upperBound) + 1).flatMap { year in
      changes(of: summer, year).map(\.at)
    }.filter { window.contains($0) }
  }

  private func changes(of summer: Summer, _ year: Int) -> [(at: Int64, offset: Int)] {
    let start = Int64(summer.start.day.date(year).days) * 86_400 + Int64(summer.start.second)
    let end = Int64(summer.end.day.date(year).days) * 86_400 + Int64(summer.end.second)
    let changes = [
      (at: start - Int64(standard), offset: summer.offset),
      (at: end - Int64(summer.offset), offset: standard),
    ]
    return changes.sorted { $0.at < $1.at }
  }

  private static func skipName(_ rest: inout Substring.UTF8View) -> Bool {
    if rest.first == UInt8(ascii: "<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[rest.index(after: end)...]
      return true
    }
    let count = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) && $0 >= 0x41 }.count
    rest = rest.dropFirst(count)
    return count >= 3
  }

  /// Hours, minutes and seconds with a sign, in seconds.
  private static func time(_ rest: inout Substring.UTF8View) -> Int? {
    var sign = 1
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      sign = first == UInt8(ascii: "-") ? -1 : 1
      rest.removeFirst()
    }
    guard let hours = number(&rest), hours <= 167 else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where rest.first == UInt8(ascii: ":") {
      rest.removeFirst()
      guard let part = number(&rest), part < 60 else { return nil }
      seconds += part * unit
    }
    return sign * seconds
  }

  private static func number(_ rest: inout Substring.UTF8View) -> Int? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, digits.count <= 4 else { return nil }
    rest = rest.dropFirst(digits.count)
    return digits.reduce(0) { $0 * 10 + Int($1) - 0x30 }
  }

  private static func change(_ rest: inout Substring.UTF8View) -> (day: Day, second: Int)? {
    guard rest.popFirst() == UInt8(ascii: ",") else { return nil }
    var day: Day
    switch rest.first {
    case UInt8(ascii: "M"):
      rest.removeFirst()
      guard let month = number(&rest), rest.popFirst() == UInt8(ascii: "."),
        let week = number(&rest), rest.popFirst() == UInt8(ascii: "."), let weekday = number(&rest),
        (1...12).contains(month), (1...5).contains(week), weekday <= 6
      else { return nil }
      day = .weekday(month: month, week: week, day: weekday)
    case UInt8(ascii: "J"):
      rest.removeFirst()
      guard let number = number(&rest), (1...365).contains(number) else { return nil }
      day = .julian(number)
    default:
      guard let number = number(&rest), number <= 365 else { return nil }
      day = .ofYear(number)
    }
    guard rest.first == UInt8(ascii: "/") else { return (day, 7200) }
    rest.removeFirst()
    guard let second = time(&rest) else { return nil }
    return (day, second)
  }
}
