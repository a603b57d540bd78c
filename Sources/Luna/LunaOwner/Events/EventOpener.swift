import Bluetooth
import Diagnosis
import LunaCore
import LunaCrypto
import LunaProtocol

/// Opens the events of one tracker: knows what it is called in each of some periods.
struct EventOpener: ~Copyable {
  private var schedule: KeySchedule
  private var sealer: ReportSealer
  private let values: PeriodValues
  private let clock: ClockInterval
  private let ppm: Int64
  /// What each period's reports are filed under, in the order of the periods.
  let heids: [HEID]
  private let periods: [HEID: UInt32]
  /// So many days earlier or later than they can have been made, reports are still asked for: that a time is not
  /// plausible, as where a finder's clock is hours off, is said, and not left out.
  private static let margin: Int32 = 1

  init(
    _ device: Device, periods range: PeriodRange, clock: ClockInterval, ppm: Int64
  ) throws {
    var schedule = try KeySchedule()
    var deriver = try ReportKeyDeriver()
    let sealer = try ReportSealer()
    guard let values = PeriodValues(device, &schedule) else { throw OwnerError.foreign(device) }
    var heids: [HEID] = []
    var periods: [HEID: UInt32] = [:]
    let range = values.within(range)
    heids.reserveCapacity(range.count)
    periods.reserveCapacity(range.count)
    if !range.isEmpty {
      for period in range.first...range.last {
        guard let (eid, aotp) = values.identifiers(period, &schedule) else { continue }
        let heid = deriver.heid(eid: eid, aotp: aotp)
        heids.append(heid)
        periods[heid] = period
      }
    }
    self.values = values
    self.clock = clock
    self.ppm = ppm
    self.heids = heids
    self.periods = periods
    self.schedule = schedule
    self.sealer = sealer
  }

  /// On which days reports of some of ``heids`` may be filed. A year's blocks have a fortnight each: a backend that
  /// keeps each day by itself looks for a block in fourteen places then, and not in four hundred.
  func days(of block: Range<Int>) -> ClosedRange<Day>? {
    guard !block.isEmpty, let first = periods[heids[block.lowerBound]],
      let last = periods[heids[block.upperBound - 1]]
    else { return nil }
    let times = QueryRange.collection(
      of: PeriodRange(first: first, last: last), clock: clock, ppm: ppm)
    func day(_ milliseconds: Int64) -> Day {
      Day(Timestamp(microseconds: 0).advanced(by: .milliseconds(milliseconds)))
    }
    return day(times.lowerBound) + -Self.margin...day(times.upperBound) + Self.margin
  }

  /// Opens an event.
  ///
  /// - Returns: the event, or the reason why it cannot be opened.
  mutating func open(_ stored: StoredEvent) -> Result<Event, EventRefusal> {
    let event = stored.event
    guard event.protocolVersion == TrackerEvent.currentVersion else {
      return .failure(EventRefusal(reason: "protocolVersion"))
    }
    guard let period = periods[event.heid],
      let (eid, aotp) = values.identifiers(period, &schedule)
    else { return .failure(EventRefusal(reason: "heid")) }
    let record: LocationRecord
    do throws(ReportRejection) {
      record = try sealer.open(
        event.encodedLocation.span, heid: event.heid, esf: event.esf, eid: eid, aotp: aotp)
    } catch {
      return .failure(EventRefusal(reason: error.reason))
    }
    let status = values.status(event.esf, period, &schedule)
    let aged = clock.aged(to: record.collectedAt, ppm: ppm)
    let isPossible = ReportTime.isPlausible(
      collectedAt: record.collectedAt, period: period, low: aged.low, high: aged.high)
    return .success(
      Event(
        record: record, eid: eid, heid: event.heid, period: period, status: status,
        receivedAt: stored.receivedAt,
        isPlausible: isPossible
          && event.day.description == ReportTime.day(of: record.collectedAt)))
  }
}
