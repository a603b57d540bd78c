package import Bluetooth
import Synchronization

/// The advertisers that a live display shows: filled by a scan, looked at by another thread.
package final class LiveAdvertisers: Sendable {
  fileprivate struct State: Sendable {
    var table = AdvertiserTable<LiveAdvertiser>()
    var lastID: UInt64 = 0
    var clock: ReportClock
    var filter: FilterExpression?
    var evaluator: FilterEvaluator?
    /// Counts the filters, so that an advertiser knows for which its verdict was.
    var filterNumber = 0
    /// What there was when the display was paused, and when.
    var frozen: (table: AdvertiserTable<LiveAdvertiser>, at: Timestamp)?
  }

  private let state: Mutex<State>
  private let adapterName: String?

  /// - Parameters:
  ///   - adapterName: what stands for an adapter that has no number.
  ///   - isFile: Whether a recording is read at full speed: then time is that of its newest report.
  package init(adapterName: String?, isFile: Bool) {
    self.adapterName = adapterName
    state = Mutex(State(clock: ReportClock(isFile: isFile)))
  }

  /// Takes reports into account.
  package func observe(_ reports: [AdvertisingReport]) {
    state.withLock { state in
      for report in reports {
        state.clock.hear(report.time)
        state.observe(report)
      }
    }
  }

  /// Nothing more will come: ages stand still.
  package func end() { state.withLock { $0.clock.stop() } }

  /// Shows every advertiser, whether it passes the filter, and the time that it is.
  ///
  /// - Parameter isPaused: Whether all stay as they were when this began.
  package func forEach(
    filter: FilterExpression?, isPaused: Bool,
    _ body: (borrowing LiveAdvertiser, _ passes: Bool, _ now: Timestamp) -> Void
  ) {
    state.withLock { state in
      state.take(filter, isPaused: isPaused, adapterName)
      let now = state.frozen?.at ?? state.clock.now
      var evaluator = state.evaluator
      let number = state.filterNumber
      func show(_ advertiser: inout LiveAdvertiser) {
        let passes =
          evaluator == nil
          || advertiser.passes(number) { evaluator?.passes(frames: $0) ?? true }
        body(advertiser, passes, now)
      }
      if state.frozen == nil {
        state.table.updateEachOldestFirst(show)
      } else {
        state.frozen?.table.updateEachOldestFirst(show)
      }
      state.evaluator = evaluator
    }
  }
}

extension LiveAdvertisers.State {
  fileprivate mutating func take(
    _ filter: FilterExpression?, isPaused: Bool, _ adapterName: String?
  ) {
    if filter != self.filter {
      self.filter = filter
      evaluator = filter.map { FilterEvaluator($0, adapterName: adapterName) }
      filterNumber += 1
    }
    if !isPaused {
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
