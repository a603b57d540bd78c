import Bluetooth
import TerminalTable

/// The live table of a run on the terminal: shows it until the user quits, which ends the run, or
/// the run ends.
final class TableDisplay {
  private let table: LiveTable
  private let task: Task<Void, Never>
  private let isRecording: Bool
  private let diagnostics: Diagnostics
  private let stop: StopRequest
  private let setNotice: @Sendable (String) -> Void
  private var waitsForUser = false

  /// Opens the terminal.
  ///
  /// - Parameters:
  ///   - table: what is shown.
  ///   - run: what is to end when the user quits.
  ///   - setNotice: shows a text above the table until another text comes.
  ///   - snapshot: what there is to show.
  init(
    _ table: TableDescription, style: TableStyle, run: ListenRun,
    setNotice: @escaping @Sendable (String) -> Void, snapshot: @escaping LiveTable.Source
  ) throws {
    isRecording = run.readPath != nil
    diagnostics = run.diagnostics
    stop = run.stop
    self.setNotice = setNotice
    let table = try LiveTable(table, style: style, source: snapshot)
    self.table = table
    run.diagnostics.hold()
    task = Task { [source = run.source, stop = run.stop, diagnostics = run.diagnostics] in
      do {
        _ = try await table.run()
      } catch {
        diagnostics.error(CommandFailure(.usage, "\(error)", hint: "use --format jsonl"))
      }
      stop.give(.complete)
      await source.stop()
    }
  }

  /// A recording that was read to its end stays on the screen until the user quits.
  func finish() {
    guard isRecording else { return }
    setNotice("end of the recording; q to quit")
    waitsForUser = true
  }

  /// Says what the source is doing.
  var stateDisplay: @Sendable (SourceState) -> Void {
    { [setNotice] state in
      switch state {
      case .starting: setNotice("starting")
      case .scanning: setNotice("")
      case .paused: setNotice("paused")
      case .recovering(let reason): setNotice("recovering: " + reason)
      case .recovery(let step): setNotice(step.outcome == .recovered ? "" : step.description)
      case .lost(let reason): setNotice("lost: " + reason)
      }
    }
  }

  /// Gives the terminal back.
  func close() async {
    // The user quits, or a signal comes: either gives a reason.
    while waitsForUser, stop.reason == nil { await stop.wait(for: .seconds(3600)) }
    table.stop()
    await task.value
    diagnostics.release()
  }
}
