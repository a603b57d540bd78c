package import Bluetooth
package import LunaDocuments
import SafeText
import Synchronization
package import TerminalTable

/// The rows of the table of `luna scan`: an advertiser each.
package final class AdvertiserRows: Sendable {
  private let advertisers: LiveAdvertisers
  private let notice = Mutex("")
  private let source: String
  private let adapterName: String?

  /// - Parameter isFile: Whether a recording is read at full speed: then time is that of its newest
  ///   report.
  package init(source: String, adapterName: String?, isFile: Bool) {
    self.source = source
    self.adapterName = adapterName
    advertisers = LiveAdvertisers(adapterName: adapterName, isFile: isFile)
  }

  /// Takes reports into account.
  package func observe(_ reports: [AdvertisingReport]) { advertisers.observe(reports) }

  /// Shows `text` above the table until another text comes.
  package func setNotice(_ text: String) { notice.withLock { $0 = text } }

  /// Nothing more will come: ages stand still.
  package func end() { advertisers.end() }

  /// What there is to show.
  package func snapshot(_ request: TableRequest) -> TableSnapshot {
    var snapshot = TableSnapshot(source: source, notice: notice.withLock { $0 })
    let filter = request.filter as? FilterExpression
    advertisers.forEach(filter: filter, isPaused: request.isPaused) { advertiser, passes, now in
      var row = TableRow(advertiser, at: now)
      row.passes = passes
      if row.id == request.details {
        row.details = advertiser.details(adapterName).map {
          TableRow.Detail(label: $0.label, value: $0.value)
        }
      }
      snapshot.rows.append(row)
    }
    return snapshot
  }
}

extension TableRow {
  /// What is known of an advertiser at the time `now`, without the details.
  package init(_ advertiser: borrowing LiveAdvertiser, at now: Timestamp) {
    let summary = advertiser.summary
    let history = advertiser.recentRSSI
    self.init(
      id: advertiser.id, isMarked: summary.isTracker,
      values: [
        // The table cleans all that it draws.
        .text(advertiser.kind), .text(summary.name?.raw ?? ""),
        .text(summary.identity.addressText ?? ""), .text(advertiser.addressDetail),
        .level(summary.rssi.map(Int.init), history: history), .bars(history),
        .count(Int(clamping: summary.count)), .rate(advertiser.rate(at: now)),
        .age(advertiser.heardAt.seconds(to: now)),
      ])
    label = advertiser.label
  }
}
