import Beacons
import Bluetooth

/// Shows the live table on the terminal.
final class TableSink: ReportSink {
  private let advertisers: LiveAdvertisers
  private let selection: ReportSelection
  private var filter: FilterEvaluator?
  private var batch: [AdvertisingReport] = []
  private let table: LiveTable
  private let display: Task<Void, Never>
  private let isRecording: Bool
  private var waitsForUser = false
  private let diagnostics: Diagnostics
  private let stop: StopRequest

  /// Opens the terminal.
  ///
  /// - Parameter run: What is to end when the user quits.
  init(
    _ description: SourceDescription, selection: ReportSelection, style: TableStyle, run: ListenRun
  ) throws {
    self.selection = selection
    isRecording = run.isFile
    diagnostics = run.diagnostics
    stop = run.stop
    filter = selection.filter.map {
      FilterEvaluator($0, adapterName: description.adapterName)
    }
    let advertisers = LiveAdvertisers(
      source: description.name + (description.simulated ? " (simulated)" : ""),
      adapterName: description.adapterName, usesRecordedTime: run.isFile)
    self.advertisers = advertisers
    let table = try LiveTable(style: style) { advertisers.snapshot(details: $0) }
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
  }

  var isRestricting: Bool { selection.isRestricting }

  func take(_ report: AdvertisingReport) -> Bool {
    guard selection.passesRSSI(report), filter?.passes(report) ?? true else { return false }
    if selection.trackersOnly,
      AdvertisementDocument.decoder.beacons(in: report).isEmpty
    {
      return false
    }
    batch.append(report)
    return true
  }

  func endBatch() {
    advertisers.observe(batch)
    batch.removeAll(keepingCapacity: true)
  }

  /// A recording that was read to its end stays on the screen until the user quits.
  func finish() {
    endBatch()
    guard isRecording else { return }
    advertisers.setNotice("end of the recording; q quits")
    waitsForUser = true
  }

  var stateDisplay: (@Sendable (SourceState) -> Void)? {
    { [advertisers] state in
      switch state {
      case .starting: advertisers.setNotice("starting")
      case .scanning: advertisers.setNotice("")
      case .recovering(let reason): advertisers.setNotice("recovering: " + reason)
      case .lost(let reason): advertisers.setNotice("lost: " + reason)
      }
    }
  }

  func close() async {
    // The user quits, or a signal comes: either gives a reason.
    while waitsForUser, stop.reason == nil { try? await Task.sleep(for: .milliseconds(50)) }
    table.stop()
    await display.value
    diagnostics.release()
  }
}
