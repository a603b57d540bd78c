import Bluetooth

/// Some reports of a recording, which become their lines. One thread at a time has it, as `BlockOrder` says.
final class ReportBlock: @unchecked Sendable {
  var reports: [AdvertisingReport] = []
  let text = OutputBuffer()

  init(capacity: Int) { reports.reserveCapacity(capacity) }
}
