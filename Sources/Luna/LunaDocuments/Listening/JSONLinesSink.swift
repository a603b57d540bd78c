package import Bluetooth

/// Prints a JSON line per advertisement, among lines about listening itself.
package final class JSONLinesSink: ReportSink {
  private let output: OutputBuffer
  private let lines: AdvertisementLines
  private let flushesEveryBatch: Bool
  private let gate: ListeningGate?
  @exclusivity(unchecked) private var isInBatch = false
  package let isRestricting: Bool

  /// - Parameters:
  ///   - adapterName: What stands for an adapter that has no number.
  ///   - fields: The fields to print; nil for all.
  ///   - gate: Lets lines about listening stand among these.
  ///   - flushesEveryBatch: For sources that are not files: nobody should wait for a line.
  package init(
    _ output: OutputBuffer, adapterName: String?, selection: ReportSelection,
    fields: [FieldReference]?, flushesEveryBatch: Bool, gate: ListeningGate? = nil
  ) {
    self.gate = gate
    self.output = output
    self.flushesEveryBatch = flushesEveryBatch
    isRestricting = selection.isRestricting
    lines = AdvertisementLines(
      output, adapterName: adapterName, selection: selection, fields: fields)
  }

  package func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    if !isInBatch { beginBatch() }
    guard lines.append(report) else { return false }
    try output.flushIfLarge()
    return true
  }

  @inline(never)
  private func beginBatch() {
    isInBatch = true
    gate?.enter()
  }

  package func endBatch() throws(OutputBuffer.WriteError) {
    isInBatch = false
    guard let gate else {
      if flushesEveryBatch { try output.flush() }
      return
    }
    try gate.leave(flushes: flushesEveryBatch)
  }

  package func finish() throws(OutputBuffer.WriteError) {
    guard let gate else { return try output.flush() }
    try gate.leave(flushes: true)
  }

  package var listeningDisplay: (@Sendable (ListeningUpdate) -> Void)? {
    guard let gate, gate.isLive else { return nil }
    return gate.display
  }

  package func summarize(_ summary: ListenSummary) { gate?.close(summary) }
}
