import Bluetooth

/// Some reports of a recording, and their lines. One thread at a time has it, as `BlockOrder` says.
final class ReportBlock: @unchecked Sendable {
  var reports: [AdvertisingReport] = []
  /// The lines, once they are made, and who gets the memory back when they are written.
  var result: (text: BlockText, formatter: BlockFormatter)?

  init(capacity: Int) { reports.reserveCapacity(capacity) }
}
