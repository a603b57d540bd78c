import Bluetooth
import LunaCore
import LunaLocal
import Synchronization

/// Prints what happens to devices, a line each: JSON for programs, or plain for people.
final class LocalLineSink: ReportSink {
  private let following: LocalFollowing
  private let lines: LocalLines
  private let minder: Task<Void, Never>?
  private var batch: [AdvertisingReport] = []
  private let flushes: Bool
  private let adapter: String?

  /// - Parameters:
  ///   - adapter: what state lines name.
  ///   - isRecording: Whether there is no time but that of the reports.
  ///   - isPlain: Whether the lines are for people.
  init(
    _ output: OutputBuffer, _ following: LocalFollowing, adapter: String?, isRecording: Bool,
    showsForeign: Bool, isPlain: Bool = false
  ) {
    self.following = following
    self.adapter = adapter
    let lines = LocalLines(output, showsForeign: showsForeign, isPlain: isPlain)
    self.lines = lines
    flushes = !isRecording
    minder = isRecording ? nil : following.mind { lines.write($0, flushing: true) }
  }

  var isRestricting: Bool { true }

  /// Counts the lines that a report leads to, so that `--count` and the exit code go by those.
  func take(_ report: AdvertisingReport) throws(OutputBuffer.WriteError) -> Bool {
    let before = lines.ownCount
    following.receive([report]) { lines.write($0, flushing: false) }
    try lines.check()
    return lines.ownCount != before
  }

  func endBatch() throws(OutputBuffer.WriteError) { try lines.flush(always: flushes) }

  func finish() throws(OutputBuffer.WriteError) { try lines.flush(always: true) }

  var listeningDisplay: (@Sendable (ListeningUpdate) -> Void)? {
    // A recording does not listen: it has losses, and no states.
    { [lines, adapter, flushes] update in
      if case .dropped = update {} else if !flushes { return }
      lines.write(update, adapter, flushing: flushes)
    }
  }

  func summarize(_ summary: ListenSummary) { lines.write(summary) }

  func close() async {
    minder?.cancel()
    await minder?.value
    await following.save()
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
  private let isPlain: Bool

  init(_ output: OutputBuffer, showsForeign: Bool, isPlain: Bool) {
    state = Mutex(State(output: output))
    self.showsForeign = showsForeign
    self.isPlain = isPlain
    if isPlain { output.append(line: LocalLineText.head) }
  }

  /// The number of lines about heard devices: of one's own, or of any where foreign ones are shown.
  var ownCount: Int { state.withLock { $0.ownCount } }

  func write(_ update: LocalUpdate, flushing: Bool) {
    guard showsForeign || update.state.uuid != nil else { return }
    state.withLock { state in
      if isPlain {
        state.output.append(line: LocalLineText.line(update))
      } else {
        state.output.append("{\"type\":\"device\"")
        var writer = JSONFieldWriter(state.output, continuing: true)
        LocalDocument.write(update, &state.timeText, to: &writer)
        state.output.append("}\n")
      }
      if update.event != .timedOut { state.ownCount += 1 }
      if flushing { LocalLines.flush(&state) }
    }
  }

  func write(_ update: ListeningUpdate, _ adapter: String?, flushing: Bool) {
    guard !isPlain else { return }
    state.withLock { state in
      ListeningLines.append(update, adapter: adapter, to: state.output)
      if flushing { LocalLines.flush(&state) }
    }
  }

  func write(_ summary: ListenSummary) {
    state.withLock { state in
      guard state.error == nil, !isPlain else { return }
      ListeningLines.append(summary, to: state.output)
      LocalLines.flush(&state)
    }
  }

  /// What could not be written by the other task.
  func check() throws(OutputBuffer.WriteError) {
    if let error = state.withLock({ $0.error }) { throw error }
  }

  func flush(always: Bool) throws(OutputBuffer.WriteError) {
    state.withLock { state in
      if always || state.output.count >= 65_536 { LocalLines.flush(&state) }
    }
    try check()
  }

  private static func flush(_ state: inout State) {
    do throws(OutputBuffer.WriteError) {
      try state.output.flush()
    } catch {
      state.error = state.error ?? error
    }
  }
}
