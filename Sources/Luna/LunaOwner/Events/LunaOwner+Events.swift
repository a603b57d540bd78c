public import Bluetooth
import Diagnosis
public import LunaCore
import LunaProtocol

extension LunaOwner {
  /// How many identifiers are asked for at once: a day and a half of a tracker. A backend looks each of them up in each of
  /// the days of a query. Of many at once most are looked for where they are not, on disk; with few an answer is soon there.
  private static let block = 128
  /// How often a page is asked for again by whom a backend asks for patience, and how long that waits at most, s.
  private static let (repeats, longestPause) = (5, 60)

  /// Fetches and opens what finders reported of a tracker (PROTOCOL.md, 10). The backend learns which
  /// heids belong together, and nothing else. A report that says it was made more than a day before or after its
  /// tracker can have been called so is not fetched.
  ///
  /// - Parameters:
  ///   - start: from when.
  ///   - end: until when, not included; at most 366 days later.
  /// - Throws: ``OwnerError`` before any request when the time makes no sense; `BackendError`;
  ///   `DeviceStoreError`.
  public func findEvents(
    device: Device, dateFrom start: Timestamp, dateTo end: Timestamp
  ) async throws -> FoundEvents {
    let span = (start.unixMilliseconds, end.unixMilliseconds)
    guard span.1 > span.0 else { throw OwnerError.emptyRange }
    guard device.masterKey != nil || device.shared != nil else { throw OwnerError.foreign(device) }
    if let shared = device.shared, !shared.isLive(at: self.clock.now().unixMilliseconds) {
      throw OwnerError.ended(device)
    }
    let clock = try await clock(of: device)
    let periods: PeriodRange
    do throws(QueryRangeRejection) {
      periods = try QueryRange.periods(
        from: span.0, to: span.1, clock: clock, ppm: ppm,
        onboardingTimestamp: device.onboardingSeconds)
    } catch {
      throw error == .emptyRange ? OwnerError.emptyRange : OwnerError.rangeTooLong
    }
    guard let backend else { throw OwnerError.noBackend }
    var opener = try EventOpener(device, periods: periods, clock: clock, ppm: ppm)
    var found = FoundEvents()
    found.periods = opener.heids.count
    let asked = Day(start)...Day(Timestamp(microseconds: end.microseconds - 1))
    var seen: Set<[UInt8]> = []
    for first in stride(from: 0, to: opener.heids.count, by: LunaOwner.block) {
      let block = first..<min(first + LunaOwner.block, opener.heids.count)
      // Of a block only its own days, and of those what was asked for.
      guard let days = opener.days(of: block), days.overlaps(asked) else { continue }
      var cursor: String?
      repeat {
        let page = try await page(
          EventQuery(
            Array(opener.heids[block]), days: days.clamped(to: asked), cursor: cursor),
          from: backend)
        found.requests += 1
        guard found.requests <= EventQuery.pageLimit else {
          throw BackendError(.answer, "the backend has ever more pages, and no end of them")
        }
        if page.unreadable > 0 { found.unopened["malformed", default: 0] += page.unreadable }
        for stored in page.events where seen.insert(stored.event.encodedLocation).inserted {
          switch opener.open(stored) {
          case .success(let event):
            // Days are fetched whole.
            if start <= event.collectedAt, event.collectedAt < end { found.events.append(event) }
          case .failure(let refusal): found.unopened[refusal.reason, default: 0] += 1
          }
        }
        // A backend that does not move on would keep us for ever.
        guard page.cursor != cursor else { break }
        cursor = page.cursor
      } while cursor != nil
    }
    found.events.sort { ($0.collectedAt, $0.receivedAt) < ($1.collectedAt, $1.receivedAt) }
    return found
  }

  /// A page of events, if need be when the backend's limit of requests allows it: a year is hundreds of them.
  private func page(
    _ query: EventQuery, from backend: any OwnerBackend
  ) async throws -> EventPage {
    for _ in 0..<LunaOwner.repeats {
      do throws(BackendError) {
        return try await backend.events(query)
      } catch {
        guard error.status == 429 else { throw error }
        let pause = min(max(1, error.retryAfter ?? 1), LunaOwner.longestPause)
        try await clock.sleep(.seconds(pause))
      }
    }
    return try await backend.events(query)
  }

  /// Fetches and opens what finders reported of a tracker.
  ///
  /// - Parameters:
  ///   - onEvents: gets the events and a summary.
  ///   - onError: gets what went wrong.
  public func findEvents(
    device: Device, dateFrom start: Timestamp, dateTo end: Timestamp,
    _ onEvents: @escaping @Sendable ([Event], String) -> Void,
    _ onError: @escaping @Sendable (String) -> Void
  ) {
    Task {
      do {
        let found = try await findEvents(device: device, dateFrom: start, dateTo: end)
        onEvents(found.events, found.summary)
      } catch {
        onError("\(error)")
      }
    }
  }
}
