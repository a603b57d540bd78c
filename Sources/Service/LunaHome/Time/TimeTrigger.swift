/// When a rule begins by the clock.
struct TimeTrigger: Sendable {
  /// Something that is to happen once.
  struct Occurrence: Hashable, Sendable {
    /// The local day and time, or the moment: what makes it one and the same.
    let key: String
    /// When, s since 1970.
    let at: Int64
  }

  enum Kind: Sendable {
    case at([ClockTime])
    case every(Int64, from: ClockTime, to: ClockTime?)
  }

  /// Longer absences are not looked through.
  private static let longest: Int64 = 14 * 86_400

  let kind: Kind
  let days: DaySet
  let zone: ZoneRules
  let start: CivilDate?
  let end: CivilDate?

  /// What is to happen after a moment and up to another, in its order.
  func occurrences(after: Int64, upTo: Int64) -> [Occurrence] {
    guard after < upTo else { return [] }
    var longest = TimeTrigger.longest
    // Of what happens again and again only the last ones matter.
    if case .every(let interval, _, _) = kind { longest = min(longest, max(3600, 10 * interval)) }
    let after = max(after, upTo - longest)
    var found: [Occurrence] = []
    // The day before may reach into this one.
    let (first, last) = (zone.local(after).day.days - 1, zone.local(upTo).day.days + 1)
    for days in first...last {
      append(CivilDate(days: days), after, upTo, &found)
    }
    return found.sorted { ($0.at, $0.key) < ($1.at, $1.key) }
  }

  /// The next moment after one at which something is to happen; nil for none within a year.
  func next(after: Int64) -> Int64? {
    var day = max(zone.local(after).day.days - 1, start?.days ?? .min)
    let limit = day + 400
    var found: [Occurrence] = []
    while day < limit, end.map({ day <= $0.days }) ?? true {
      append(CivilDate(days: day), after, .max, &found)
      day += 1
      // A day may begin late, but not later than the next one's end.
      if let next = found.map(\.at).min(), day > zone.local(next).day.days + 1 { return next }
    }
    return found.map(\.at).min()
  }

  private func append(
    _ day: CivilDate, _ after: Int64, _ upTo: Int64, _ found: inout [Occurrence]
  ) {
    guard days.contains(day), start.map({ $0 <= day }) ?? true, end.map({ day <= $0 }) ?? true
    else { return }
    switch kind {
    case .at(let times):
      for time in times {
        guard let at = moment(day, time), at > after, at <= upTo else { continue }
        found.append(Occurrence(key: "\(day) \(time.seconds)", at: at))
      }
    case .every(let interval, let from, let to):
      guard let begin = moment(day, from) else { return }
      let nextDay = CivilDate(days: day.days + 1)
      let end: Int64?
      if let to, to != from {
        end = moment(to < from ? nextDay : day, to)
      } else {
        // Until the next day begins it anew: at one moment it would run twice.
        end = moment(nextDay, from).map { $0 - 1 }
      }
      let last = min(end ?? begin + 86_399, upTo)
      // Only the first one is asked for where there is no end.
      let steps = max(0, (after - begin) / interval + (after >= begin ? 1 : 0))
      var at = begin + steps * interval
      while at <= last {
        if at > after { found.append(Occurrence(key: "\(day) @\(at)", at: at)) }
        if upTo == .max, at > after { return }
        at += interval
      }
    }
  }

  private func moment(_ day: CivilDate, _ time: ClockTime) -> Int64? {
    switch zone.resolve(day, time) {
    case .at(let moment), .skipped(let moment): moment
    case .noSuchDay: nil
    }
  }
}
