package import Bluetooth

/// Where the advertisements of a scan go: JSON lines, CSV, a summary, a table.
package protocol ReportSink: AnyObject {
  /// Whether some advertisements may be left out on purpose.
  var isRestricting: Bool { get }

  /// Whether what it is there for comes when the scan has ended.
  var tellsAtTheEnd: Bool { get }

  /// Shows what the source is doing; nil when that goes to standard error like everything else.
  var stateDisplay: (@Sendable (SourceState) -> Void)? { get }

  /// Tells what the radio does, and what was lost, among what is heard. May be called from any thread.
  var listeningDisplay: (@Sendable (ListeningUpdate) -> Void)? { get }

  /// Takes a report that passes the selection.
  ///
  /// - Returns: Whether it passed.
  func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool

  /// A batch is through: what was gathered may be shown now.
  func endBatch() throws(OutputBuffer.WriteError)

  /// The scan has ended well.
  func finish() throws(OutputBuffer.WriteError)

  /// The scan has ended, well or not: what came of it. Called before ``close()``.
  func summarize(_ summary: ListenSummary)

  /// Nothing more will come, also after an error: what the sink holds is given back. A sink that
  /// people look at may wait for them after a good end.
  func close() async
}

extension ReportSink {
  package var tellsAtTheEnd: Bool { false }
  package var stateDisplay: (@Sendable (SourceState) -> Void)? { nil }
  package var listeningDisplay: (@Sendable (ListeningUpdate) -> Void)? { nil }
  package func summarize(_ summary: ListenSummary) {}
  package func close() async {}
}
