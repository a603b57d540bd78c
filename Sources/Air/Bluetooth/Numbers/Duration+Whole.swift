extension Duration {
  /// The whole microseconds of it; of one that is too long, as many as there can be.
  package var wholeMicroseconds: Int64 { whole(1_000_000) }

  /// The whole milliseconds of it; of one that is too long, as many as there can be.
  package var wholeMilliseconds: Int64 { whole(1000) }

  private func whole(_ unitsASecond: Int64) -> Int64 {
    let (seconds, attoseconds) = components
    let (units, isTooLong) = seconds.multipliedReportingOverflow(by: unitsASecond)
    // A part of a second: it may be the last bit that does not fit.
    let rest = attoseconds / (1_000_000_000_000_000_000 / unitsASecond)
    let (sum, overflows) = units.addingReportingOverflow(rest)
    return isTooLong || overflows ? (seconds < 0 ? .min : .max) : sum
  }
}
