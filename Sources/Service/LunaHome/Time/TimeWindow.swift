/// A time of the day, on some days, as the clock on the wall shows it.
struct TimeWindow: Sendable {
  let from: ClockTime
  /// Where it ends, on the next day if that is earlier; nil for midnight.
  let to: ClockTime?
  let days: DaySet
  let zone: ZoneRules

  /// When it ends, of a moment that is in it: the first one at which it is not that time any more.
  func end(after seconds: Int64) -> Int64 {
    let today = zone.local(seconds).day
    let time = to ?? ClockTime(seconds: 0)
    for day in 0...2 {
      let moment =
        switch zone.resolve(CivilDate(days: today.days + day), time) {
        case .at(let moment), .skipped(let moment): moment
        case .noSuchDay: seconds
        }
      if moment > seconds, !contains(moment) { return moment }
    }
    // Around the clock, day after day.
    return seconds + 86_400
  }

  /// Whether it is that time. What begins before midnight belongs to the day on which it began.
  func contains(_ seconds: Int64) -> Bool {
    let (day, second) = zone.local(seconds)
    let yesterday = CivilDate(days: day.days - 1)
    let time = ClockTime(seconds: second)
    guard let to else { return time >= from && days.contains(day) }
    if from < to { return time >= from && time < to && days.contains(day) }
    return time >= from && days.contains(day) || time < to && days.contains(yesterday)
  }
}
