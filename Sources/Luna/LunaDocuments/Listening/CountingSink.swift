package import Bluetooth

/// Shows nothing: the recording is all that is wanted.
package final class CountingSink: ReportSink {
  package init() {}

  package let isRestricting = false
  package func take(_ report: AdvertisingReport) -> Bool { true }
  package func endBatch() {}
  package func finish() {}
}
