import Bluetooth
import Synchronization

/// The advertisers that the live table shows, filled by the scan and read by the terminal's thread.
final class LiveAdvertisers: Sendable {
  fileprivate struct State: Sendable {
    var table = AdvertiserTable<LiveAdvertiser>()
    var lastID: UInt64 = 0
    var clock: ReportClock
    var notice = ""
    var filter: FilterExpression?
    var evaluator: FilterEvaluator?
    /// Counts the filters, so that an advertiser knows for which its verdict was.
    var filterNumber = 0
    /// What there was when the table was paused, and when.
    var frozen: (table: AdvertiserTable<LiveAdvertiser>, at: Timestamp)?
  }

  private let state: Mutex<State>
  private let source: String
  private let adapterName: String?

  /// - Parameter isFile: Whether a recording is read at full speed: then time is that of its newest
  ///   report.
  init(source: String, adapterName: String?, isFile: Bool) {
    self.source = source
    self.adapterName = adapterName
    state = Mutex(State(clock: ReportClock(isFile: isFile)))
  }

  /// Takes reports into account.
  func observe(_ reports: [AdvertisingReport]) {
    state.withLock { state in
      for report in reports {
        state.clock.hear(report.time)
        state.observe(report)
      }
    }
  }

  /// Shows `text` above the table until another text comes.
  func setNotice(_ text: String) { state.withLock { $0.notice = text } }

  /// Nothing more will come: ages stand still.
  func end() { state.withLock { $0.clock.stop() } }

  /// What there is to show.
  func snapshot(_ request: TableRequest) -> TableSnapshot {
    state.withLock { state in
      state.take(request, adapterName)
      var snapshot = TableSnapshot(source: source, notice: state.notice)
      snapshot.rows.reserveCapacity(state.table.count)
      let now = state.frozen?.at ?? state.clock.now
      var evaluator = state.evaluator
      let number = state.filterNumber
      func append(_ advertiser: inout LiveAdvertiser) {
        var row = advertiser.row(
          at: now, withDetails: advertiser.id == request.details, adapterName: adapterName)
        if evaluator != nil {
          row.passes = advertiser.passes(number) { evaluator?.passes(frames: $0) ?? true }
        }
        snapshot.rows.append(row)
      }
      if state.frozen == nil {
        state.table.updateEachOldestFirst(append)
      } else {
        state.frozen?.table.updateEachOldestFirst(append)
      }
      state.evaluator = evaluator
      return snapshot
    }
  }
}

extension LiveAdvertisers.State {
  fileprivate mutating func take(_ request: TableRequest, _ adapterName: String?) {
    if request.filter != filter {
      filter = request.filter
      evaluator = request.filter.map { FilterEvaluator($0, adapterName: adapterName) }
      filterNumber += 1
    }
    if !request.isPaused {
      frozen = nil
    } else if frozen == nil {
      frozen = (table, clock.now)
    }
  }

  fileprivate mutating func observe(_ report: AdvertisingReport) {
    let next = lastID + 1
    var isNew = false
    // The one that gives way when the table is full has been silent for long; it is not missed.
    _ = table.withAdvertiser(Advertiser.Identity(report), at: report.time) { advertiser in
      if advertiser.id == 0 {
        advertiser.id = next
        isNew = true
      }
      advertiser.observe(report)
    }
    if isNew { lastID = next }
  }
}
