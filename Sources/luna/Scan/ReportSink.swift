import Bluetooth

/// Where the advertisements of a scan go: JSON lines, CSV, a summary, a table.
protocol ReportSink: AnyObject {
  /// Whether some advertisements may be left out on purpose.
  var isRestricting: Bool { get }

  /// Shows what the source is doing; nil when that goes to standard error like everything else.
  var stateDisplay: (@Sendable (SourceState) -> Void)? { get }

  /// Takes a report that passes the selection.
  ///
  /// - Returns: Whether it passed.
  func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool

  /// A batch is through: what was gathered may be shown now.
  func endBatch() throws(OutputBuffer.WriteError)

  /// The scan has ended well.
  func finish() throws(OutputBuffer.WriteError)

  /// Nothing more will come, also after an error: what the sink holds is given back. A sink that
  /// people look at may wait for them after a good end.
  func close() async
}

extension ReportSink {
  var stateDisplay: (@Sendable (SourceState) -> Void)? { nil }
  func close() async {}
}
