import Bluetooth

/// Shows nothing: the recording is all that is wanted.
final class CountingSink: ReportSink {
  let isRestricting = false
  func take(_ report: AdvertisingReport) -> Bool { true }
  func endBatch() {}
  func finish() {}
}
