package import Bluetooth
package import LunaCore
package import LunaDocuments
package import LunaLocal
import Synchronization
package import TerminalTable

/// The rows of the table of `luna local`: a device each, with the recent past of its signal.
package final class LocalRows: Sendable {
  private let known: LiveDevices
  private let notice = Mutex("")
  private let source: String

  /// What the table shows.
  ///
  /// - Parameter words: what is said of a filter that is wrong.
  package static func table(
    _ words: @escaping @Sendable (FilterError) -> String
  ) -> TableDescription {
    .trackers(LiveDevices.catalog, words)
  }

  /// - Parameter isFile: Whether a recording is read at full speed.
  package init(source: String, showsForeign: Bool, isFile: Bool = false) {
    self.source = source
    known = LiveDevices(showsForeign: showsForeign, isFile: isFile)
  }

  /// Shows `text` above the table until another text comes.
  package func setNotice(_ text: String) { notice.withLock { $0 = text } }

  /// Nothing more will come: ages stand still.
  package func end() { known.end() }

  /// Takes note of the signal of a device.
  package func hear(_ update: LocalUpdate, at time: Timestamp) { known.hear(update, at: time) }

  /// What there is to show.
  package func snapshot(_ devices: [LocalDevice], _ request: TableRequest) -> TableSnapshot {
    var snapshot = TableSnapshot(source: source, notice: notice.withLock { $0 })
    let filter = request.filter as? FilterExpression
    known.forEach(of: devices, filter: filter) { device, history, passes, now in
      // Those that were not heard stand behind all others, in their order.
      let id = history?.id ?? UInt64.max / 2 + UInt64(snapshot.rows.count)
      var row = TableRow(device, history, id: id, at: now)
      row.passes = passes
      if row.id == request.details {
        row.details = LocalText.details(device).map {
          TableRow.Detail(label: $0.label, value: $0.value)
        }
      }
      snapshot.rows.append(row)
    }
    return snapshot
  }
}

extension TableRow {
  /// What is known of a device at the time `now`, without the details.
  fileprivate init(
    _ device: LocalDevice.State, _ history: DeviceHistory?, id: UInt64, at now: Timestamp
  ) {
    let values = history?.values ?? []
    let isSilent = device.timedOut == true
    let kind = LocalText.kind(device)
    self.init(
      id: id, isMarked: device.uuid != nil,
      values: [
        // What has no name is called by what it is, across both columns.
        .text(device.name ?? kind), .text(device.name == nil ? "" : kind), .text(device.identifier),
        .text(LocalText.clock(device)),
        .level(isSilent ? nil : device.rssi.map { Int($0) }, history: values),
        .bars(values), .count(history?.count ?? 0), .rate(history?.rate(at: now)),
        .text(LocalText.battery(device) ?? ""),
        .age(history?.age(at: now) ?? .infinity),
      ])
  }
}
