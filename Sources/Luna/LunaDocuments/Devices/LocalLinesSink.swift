package import Bluetooth
import EventLoop
import LunaCore
package import LunaLocal
import Synchronization

/// Prints what happens to devices, a line each: JSON for programs, or plain for people.
package final class LocalLinesSink: ReportSink {
  private let scan: LocalScan
  private let lines: LocalLines
  private let minder: Task<Void, Never>
  /// Where that waits for the reader, who may stand still.
  private let thread: BlockingTasks
  private var batch: [AdvertisingReport] = []
  private let flushes: Bool

  /// - Parameters:
  ///   - isRecording: Whether there is no time but that of the reports.
  ///   - text: A line for people about an update, instead of one of JSON.
  package init(
    _ output: OutputBuffer, _ scan: LocalScan, isRecording: Bool, showsForeign: Bool,
    text: (@Sendable (LocalUpdate) -> String)? = nil
  ) {
    self.scan = scan
    let lines = LocalLines(output, showsForeign: showsForeign, text: text)
    self.lines = lines
    flushes = !isRecording
    let thread = BlockingTasks(name: "luna.lines")
    self.thread = thread
    minder = Task(executorPreference: thread) {
      for await update in scan.timeouts { lines.write(update, flushing: true) }
    }
  }

  package var isRestricting: Bool { true }

  /// Counts the lines that a report leads to, so that `--count` and the exit code go by those.
  package func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    let before = lines.ownCount
    for update in scan.follow([report]) { lines.write(update, flushing: false) }
    // A queue that was full is one batch.
    try lines.flush(always: false)
    return lines.ownCount != before
  }

  package func endBatch() throws(OutputBuffer.WriteError) { try lines.flush(always: flushes) }

  package func finish() throws(OutputBuffer.WriteError) { try lines.flush(always: true) }

  package var listeningDisplay: (@Sendable (ListeningUpdate) -> Void)? {
    // A recording does not listen: it has losses, and no states.
    { [lines, scan, flushes] update in
      if case .dropped = update {} else if !flushes { return }
      lines.write(update, scan.description.adapter, flushing: flushes)
    }
  }

  package func summarize(_ summary: ListenSummary) { lines.write(summary) }

  package func close() async {
    await scan.stop()
    await minder.value
  }
}

/// The lines, written by the scan and by the task that minds the time.
private final class LocalLines: Sendable {
  /// The buffer is nobody else's while the scan runs.
  private struct State: @unchecked Sendable {
    let output: OutputBuffer
    var timeText = TimeText()
    var ownCount = 0
    var error: OutputBuffer.WriteError?
  }

  private let state: Mutex<State>
  private let showsForeign: Bool
  private let text: (@Sendable (LocalUpdate) -> String)?

  init(
    _ output: OutputBuffer, showsForeign: Bool, text: (@Sendable (LocalUpdate) -> String)?
  ) {
    state = Mutex(State(output: output))
    self.showsForeign = showsForeign
    self.text = text
  }

  /// The number of lines about heard devices: of one's own, or of any where foreign ones are shown.
  var ownCount: Int { state.withLock { $0.ownCount } }

  func write(_ update: LocalUpdate, flushing: Bool) {
    guard showsForeign || update.state.uuid != nil else { return }
    state.withLock { state in
      if let text {
        state.output.append(line: text(update))
      } else {
        LocalDocument.append(update, &state.timeText, to: state.output)
      }
      if update.event.isFrame { state.ownCount += 1 }
      if flushing { LocalLines.flush(&state) }
    }
  }

  func write(_ update: ListeningUpdate, _ adapter: String?, flushing: Bool) {
    guard text == nil else { return }
    state.withLock { state in
      ListeningLines.append(update, adapter: adapter, to: state.output)
      if flushing { LocalLines.flush(&state) }
    }
  }

  func write(_ summary: ListenSummary) {
    state.withLock { state in
      guard state.error == nil, text == nil else { return }
      ListeningLines.append(summary, to: state.output)
      LocalLines.flush(&state)
    }
  }

  /// Writes, or when not `always` only what has gathered a good deal; also tells what the other task
  /// could not write.
  func flush(always: Bool) throws(OutputBuffer.WriteError) {
    let error = state.withLock { state in
      if always || state.output.count >= 65_536 { LocalLines.flush(&state) }
      return state.error
    }
    if let error { throw error }
  }

  private static func flush(_ state: inout State) {
    do throws(OutputBuffer.WriteError) {
      try state.output.flush()
    } catch {
      state.error = state.error ?? error
    }
  }
}
