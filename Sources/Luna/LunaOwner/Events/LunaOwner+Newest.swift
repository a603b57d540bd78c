package import Bluetooth
package import LunaCore

extension LunaOwner {
  /// Fetches and opens what finders reported of a tracker on the last day on which one that can be true was. The
  /// backend is asked for one day after the other, the newest first, and no further: most trackers were heard today.
  ///
  /// - Parameters:
  ///   - end: until when, not included.
  ///   - days: how many days are asked for at most, those of UTC, as reports are filed under; the first is that of `end`.
  /// - Returns: the events of that day, oldest first; none where there was no such day.
  /// - Throws: as ``findEvents(device:dateFrom:dateTo:)``.
  package func newestEvents(
    of device: Device, before end: Timestamp, days: Int32 = 7
  ) async throws -> [Event] {
    let last = Day(Timestamp(microseconds: end.microseconds - 1))
    for back in 0..<days {
      let day = last + -back
      let start = Self.beginning(of: day)
      let stop = min(end, Self.beginning(of: day + 1))
      // What began less than a millisecond ago has no events yet.
      guard start.unixMilliseconds < stop.unixMilliseconds else { continue }
      let found = try await findEvents(device: device, dateFrom: start, dateTo: stop)
      if found.events.contains(where: \.isPlausible) { return found.events }
    }
    return []
  }

  private static func beginning(of day: Day) -> Timestamp {
    Timestamp(unixMilliseconds: Int64(day.number) * 86_400_000)
  }
}
