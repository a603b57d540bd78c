package import Bluetooth

/// Prints a line of comma-separated values per advertisement, a header line first.
package final class CSVSink: ReportSink {
  private let output: OutputBuffer
  private let columns: AdvertisementColumns
  private let flushesEveryBatch: Bool
  package let isRestricting: Bool

  package init(
    _ output: OutputBuffer, adapterName: String?, selection: ReportSelection,
    fields: [FieldReference], flushesEveryBatch: Bool
  ) {
    self.output = output
    self.flushesEveryBatch = flushesEveryBatch
    isRestricting = selection.isRestricting
    columns = AdvertisementColumns(
      output, adapterName: adapterName, selection: selection, fields: fields)
  }

  package func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    guard columns.append(report) else { return false }
    try output.flushIfLarge()
    return true
  }

  package func endBatch() throws(OutputBuffer.WriteError) {
    if flushesEveryBatch { try output.flush() }
  }

  package func finish() throws(OutputBuffer.WriteError) { try output.flush() }

  /// What was taken before somebody ended it is there all the same.
  package func summarize(_ summary: ListenSummary) { try? output.flush() }
}
