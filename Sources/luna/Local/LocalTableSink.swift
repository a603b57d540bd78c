import Bluetooth
import Glibc
import LunaCore
import LunaLocal

/// Shows the live table of one's own trackers and the foreign ones nearby.
final class LocalTableSink: ReportSink {
  private let following: LocalFollowing
  private let rows: LocalRows
  private let table: LiveTable
  private let display: Task<Void, Never>
  private let minder: Task<Void, Never>
  private let isRecording: Bool
  private let diagnostics: Diagnostics
  private let stop: StopRequest
  private let showsForeign: Bool
  private var waitsForUser = false

  init(
    _ description: SourceDescription, _ following: LocalFollowing, showsForeign: Bool,
    style: TableStyle, run: ListenRun
  ) throws {
    self.following = following
    self.showsForeign = showsForeign
    isRecording = run.isFile
    diagnostics = run.diagnostics
    stop = run.stop
    let rows = LocalRows(
      source: description.name + (description.simulated ? " (simulated)" : ""),
      showsForeign: showsForeign)
    self.rows = rows
    let table = try LiveTable(style: style) { rows.snapshot(following.devices, details: $0) }
    self.table = table
    run.diagnostics.hold()
    display = Task { [source = run.source, stop = run.stop, diagnostics = run.diagnostics] in
      do {
        _ = try await table.run()
      } catch {
        diagnostics.error(CommandFailure(.usage, "\(error)", hint: "use --format jsonl"))
      }
      stop.give(.complete)
      await source.stop()
    }
    minder = run.isFile ? Task {} : following.mind { rows.hear($0, at: .unknown) }
  }

  var isRestricting: Bool { true }

  func take(_ report: AdvertisingReport) -> Bool {
    var isShown = false
    following.receive([report]) { update in
      if showsForeign || update.state.uuid != nil { isShown = isShown || update.event != .timedOut }
      rows.hear(update, at: report.time)
    }
    return isShown
  }

  func endBatch() {}

  /// A recording that was read to its end stays on the screen until the user quits.
  func finish() {
    guard isRecording else { return }
    rows.setNotice("end of the recording; q quits")
    waitsForUser = true
  }

  var stateDisplay: (@Sendable (SourceState) -> Void)? {
    { [rows] state in
      switch state {
      case .starting: rows.setNotice("starting")
      case .scanning: rows.setNotice("")
      case .recovering(let reason): rows.setNotice("recovering: " + reason)
      case .lost(let reason): rows.setNotice("lost: " + reason)
      }
    }
  }

  func close() async {
    while waitsForUser, stop.reason == nil { try? await Task.sleep(for: .milliseconds(50)) }
    table.stop()
    await display.value
    diagnostics.release()
    minder.cancel()
    await minder.value
    await following.save()
  }
}
