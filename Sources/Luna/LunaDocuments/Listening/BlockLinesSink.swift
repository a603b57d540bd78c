package import Bluetooth

/// Prints a JSON line per advertisement of a recording, all of which is printed, as `JSONLinesSink` does:
/// several threads make the lines of a block each, and who gives the reports helps them and writes.
package final class BlockLinesSink: ReportSink {
  /// Reports in a block: few, so that what is under way stays in a processor's cache, and many beside what
  /// handing them over costs.
  static let blockCount = 256
  /// One that a thread works on, and two for it to go on with.
  static let blocksPerThread = 3

  private let output: OutputBuffer
  private let blockCount: Int
  private let queue: BlockQueue
  private let formatter: BlockFormatter
  /// The block that is being filled.
  @exclusivity(unchecked) private var reports: [AdvertisingReport] = []
  private var spares: [ReportBlock] = []
  /// Whether writing has failed: what is under way is given up.
  private var isBroken = false
  package let isRestricting = false

  /// - Parameters:
  ///   - adapterName: What stands for an adapter that has no number.
  ///   - fields: The fields to print; nil for all.
  ///   - threads: How many make lines, the caller's among them.
  package convenience init(
    _ output: OutputBuffer, adapterName: String?, fields: [FieldReference]?, threads: Int
  ) {
    self.init(
      output, adapterName: adapterName, fields: fields, threads: threads,
      blockCount: BlockLinesSink.blockCount)
  }

  init(
    _ output: OutputBuffer, adapterName: String?, fields: [FieldReference]?, threads: Int,
    blockCount: Int
  ) {
    let store = LineStore(isShared: true)
    let formatters = (0..<threads).map { _ in
      BlockFormatter(adapterName: adapterName, fields: fields, store: store)
    }
    self.output = output
    self.blockCount = blockCount
    formatter = formatters[0]
    queue = BlockQueue(
      limit: threads * BlockLinesSink.blocksPerThread, helpers: Array(formatters.dropFirst()))
    reports.reserveCapacity(blockCount)
  }

  package func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    reports.append(report)
    if reports.count >= blockCount {
      handOver()
      try advance(untilEmpty: false)
    }
    return true
  }

  /// A block may go on in the next batch: nobody waits for a line of a recording.
  package func endBatch() {}

  package func finish() throws(OutputBuffer.WriteError) {
    handOver()
    try advance(untilEmpty: true)
    try output.flush()
  }

  /// What was taken before somebody ended it is there all the same.
  package func summarize(_ summary: ListenSummary) {
    if !isBroken {
      do throws(OutputBuffer.WriteError) { try finish() } catch { return }
    }
    ListeningLines.append(summary, to: output)
    try? output.flush()
  }

  private func handOver() {
    guard !reports.isEmpty else { return }
    let block = spares.popLast() ?? ReportBlock(capacity: blockCount)
    swap(&reports, &block.reports)
    queue.add(block)
  }

  private func advance(untilEmpty: Bool) throws(OutputBuffer.WriteError) {
    while let step = queue.step(untilEmpty: untilEmpty) {
      switch step {
      case .write(let block): try write(block)
      case .work(let number, let block):
        formatter.format(block)
        queue.finish(number)
      case .wait: queue.wait()
      }
    }
  }

  private func write(_ block: ReportBlock) throws(OutputBuffer.WriteError) {
    isBroken = true
    // What stands before the first block.
    try output.flush()
    if let (text, formatter) = block.result {
      block.result = nil
      output.exchange(with: text.buffer)
      defer {
        output.exchange(with: text.buffer)
        formatter.takeBack(text)
      }
      try output.flush()
    }
    isBroken = false
    // By the thread that made them: memory that goes back to another's heap costs both.
    block.reports.removeAll(keepingCapacity: true)
    spares.append(block)
  }
}
