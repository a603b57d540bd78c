import Bluetooth

/// Where the advertisements of a scan go: JSON lines, CSV, a summary, a table.
protocol ReportSink: AnyObject {
  /// Whether some advertisements may be left out on purpose.
  var isRestricting: Bool { get }

  /// Takes a report that passes the selection.
  ///
  /// - Returns: Whether it passed.
  func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool

  /// A batch is through: what was gathered may be shown now.
  func endBatch() throws(OutputBuffer.WriteError)

  /// The scan has ended.
  func finish() throws(OutputBuffer.WriteError)
}
