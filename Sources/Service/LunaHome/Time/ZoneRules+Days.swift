extension ZoneRules {
  /// The day of a moment, s since 1970.
  public func day(at seconds: Int64) -> CivilDate { local(seconds).day }

  /// From the first moment of a day to that of the next one, µs since 1970; empty for a day that the
  /// zone has left out.
  public func span(of day: CivilDate) -> Range<Int64> {
    let start = start(of: day)
    return start * 1_000_000..<max(start, self.start(of: CivilDate(days: day.days + 1))) * 1_000_000
  }

  private func start(of day: CivilDate) -> Int64 {
    switch resolve(day, ClockTime(seconds: 0)) {
    case .at(let moment), .skipped(let moment): moment
    case .noSuchDay: start(of: CivilDate(days: day.days + 1))
    }
  }
}
