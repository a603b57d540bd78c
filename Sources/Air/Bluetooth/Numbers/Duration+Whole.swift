extension Duration {
  /// The whole microseconds of it; of one that is too long, as many as there can be.
  package var wholeMicroseconds: Int64 { whole(1_000_000) }

  /// The whole milliseconds of it; of one that is too long, as many as there can be.
  package var wholeMilliseconds: Int64 { whole(1000) }

  /// Seconds for people: the nearest whole number, of less than one still 1.
  package var roundedSeconds: Int64 {
    let (seconds, attoseconds) = components
    return max(1, attoseconds >= 500_000_000_000_000_000 && seconds < .max ? seconds + 1 : seconds)
  }

  private func whole(_ unitsASecond: Int64) -> Int64 {
    let (seconds, attoseconds) = components
    let (units, isTooLong) = seconds.multipliedReportingOverflow(by: unitsASecond)
    // A part of a second: it may be the last bit that does not fit.
    let rest = attoseconds / (1_000_000_000_000_000_000 / unitsASecond)
    let (sum, overflows) = units.addingReportingOverflow(rest)
    return isTooLong || overflows ? (seconds < 0 ? .min : .max) : sum
  }
}
