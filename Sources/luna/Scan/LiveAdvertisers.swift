import Bluetooth
import Glibc
import Synchronization

/// The advertisers that the live table shows, filled by the scan and read by the terminal's thread.
final class LiveAdvertisers: Sendable {
  fileprivate struct State: Sendable {
    var table = AdvertiserTable<LiveAdvertiser>()
    var lastID: UInt64 = 0
    var newest = Timestamp(microseconds: .min)
    var notice = ""
  }

  private let state = Mutex(State())
  private let source: String
  private let adapterName: String?
  /// Whether ages are counted from the newest advertisement, not from the clock.
  private let usesRecordedTime: Bool

  init(source: String, adapterName: String?, usesRecordedTime: Bool) {
    self.source = source
    self.adapterName = adapterName
    self.usesRecordedTime = usesRecordedTime
  }

  /// Takes reports into account.
  func observe(_ reports: [AdvertisingReport]) {
    state.withLock { state in
      for report in reports {
        if report.time > state.newest { state.newest = report.time }
        state.observe(report)
      }
    }
  }

  /// Shows `text` above the table until another text comes.
  func setNotice(_ text: String) { state.withLock { $0.notice = text } }

  /// What there is to show, with the details of the advertiser `selected`.
  func snapshot(details selected: TableRow.ID?) -> TableSnapshot {
    state.withLock { state in
      var now = state.newest
      if !usesRecordedTime { now = max(now, LiveAdvertisers.clock()) }
      var snapshot = TableSnapshot(source: source, notice: state.notice)
      snapshot.rows.reserveCapacity(state.table.count)
      state.table.forEachOldestFirst { advertiser in
        snapshot.rows.append(
          advertiser.row(
            at: now, withDetails: advertiser.id == selected, adapterName: adapterName))
      }
      return snapshot
    }
  }

  private static func clock() -> Timestamp {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Timestamp(microseconds: Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000)
  }
}

extension LiveAdvertisers.State {
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
