import Bluetooth
import Captures
import Glibc
import LunaCore
import LunaDocuments
import LunaLocal

/// A source listened to until it ends or something says stop: what `scan`, `capture` and `local`
/// share.
struct ListenRun {
  let source: any AdvertisementSource
  /// Whether the source is a file read at full speed, where time means recorded time.
  let isFile: Bool
  /// The file that is read, lest it be overwritten.
  let readPath: String?
  let duration: Duration?
  let count: Int?
  let recordingPath: String?
  let overwrites: Bool
  /// When the recording goes on in a new file.
  var rotation: CaptureRotation?
  let diagnostics: Diagnostics
  /// What is lost elsewhere than in the source, so far.
  var otherLosses: @Sendable () -> LossWatch.Losses = { [] }
  /// Ends what loses something elsewhere, when nothing more is heard: the rest of what is lost is known then.
  var endOthers: @Sendable () async -> Void = {}
  /// How a person is told when a recording was made of which nothing was shown; nil where that is not said.
  var times: ShownTimes?
  /// Whether all that is heard is recorded and nothing else is done with it.
  var onlyRecords = false
  /// Knows how it stands with the radio.
  var trouble = RadioTrouble()
  let stop = StopRequest()
  /// When it last heard something, or its source told how it is.
  private let life = LifeSigns()

  /// Listens.
  ///
  /// - Parameter makeSink: Called when the source has started, with what it is.
  /// - Returns: The exit code, when nothing failed.
  func run(
    _ makeSink: (SourceDescription) throws -> any ReportSink
  ) async throws -> ExitCode {
    let recorder = try await makeRecorder()
    if stop.reason == .closedPipe { return exitCode(accepted: 0, restricted: false) }
    watchSignals()
    do throws(SourceError) {
      try await source.start()
    } catch {
      // A signal during the start is why it failed, not a fault.
      if let reason = stop.reason, reason != .complete {
        return exitCode(accepted: 0, restricted: false)
      }
      throw failure(error)
    }
    let description = source.description
    if !isFile { diagnostics.note("luna: " + description.explanation) }
    let began = ContinuousClock.now
    let helpers = startHelpers()
    defer { for helper in helpers { helper.cancel() } }
    let service = ServiceLife(diagnostics) { [life] in life.silence }
    service.begin(description.explanation)
    defer { service.end() }
    var totals = Totals()
    let sink = try makeSink(description)
    let watcher = watchStates(sink)
    let losses = sink.listeningDisplay.map { tell in
      LossWatch(totals: totalLosses) { losses in
        await Task(executorPreference: CommandThread.tasks) {
          for (reason, count) in losses { tell(.dropped(reason: reason, count: count)) }
        }.value
      }
    }
    losses?.start()
    do {
      do {
        try await consume(into: sink, recorder: recorder, losses, totals: &totals)
        if sink.tellsAtTheEnd { StalledOutput.stopWatching() }
        await source.stop()
        if stop.reason == nil || stop.reason == .complete { try sink.finish() }
      } catch let error as OutputBuffer.WriteError where error.isClosedPipe {
        stop.give(.closedPipe)
      } catch is SourceError where isReaderGone {
        stop.give(.closedPipe)
      }
      try await recorder?.finish()
    } catch {
      let duration = await end(sink, watcher, losses, totals, since: began)
      report(totals, description, in: duration, isWhole: false)
      // Of a source's errors, what is left is the recorder's.
      throw (error as? SourceError).map { CommandFailure($0) } ?? error
    }
    let duration = await end(sink, watcher, losses, totals, since: began)
    report(totals, description, in: duration)
    return exitCode(accepted: totals.accepted, restricted: totals.restricted)
  }

  private func makeRecorder() async throws(CommandFailure) -> CaptureWriter? {
    guard let recordingPath else { return nil }
    do throws(SourceError) {
      return try await CaptureWriter(
        path: recordingPath, reading: readPath, replacing: overwrites, rotation: rotation)
    } catch {
      guard !isReaderGone else {
        stop.give(.closedPipe)
        return nil
      }
      throw CommandFailure(error)
    }
  }

  /// Whether it records into a pipe whose reader has seen enough.
  private var isReaderGone: Bool { recordingPath == "-" && ClosedPipe.isClosed }

  /// - Returns: how long it has listened.
  private func end(
    _ sink: any ReportSink, _ watcher: Task<Void, Never>, _ losses: LossWatch?, _ totals: Totals,
    since began: ContinuousClock.Instant
  ) async -> Duration {
    watcher.cancel()
    await source.stop()
    await watcher.value
    let duration = began.duration(to: .now)
    await endOthers()
    await losses?.finish()
    if stop.reason != .closedPipe { sink.summarize(summary(totals, in: duration)) }
    await sink.close()
    return duration
  }

  /// All that was lost so far, by its reasons.
  private var totalLosses: @Sendable () -> LossWatch.Losses {
    { [source, otherLosses] in source.counters.losses + otherLosses() }
  }

  private func summary(_ totals: Totals, in duration: Duration) -> ListenSummary {
    ListenSummary(
      heard: heard(totals), shown: totals.accepted, dropped: totalLosses(),
      duration: isFile ? totals.recorded : duration)
  }

  /// A recording is read ahead of what is shown of it.
  private func heard(_ totals: Totals) -> UInt64 {
    readPath == nil ? source.counters.reports : totals.heard
  }

  /// Tells what the source is doing when that changes: in the table, or a line each.
  private func watchStates(_ sink: any ReportSink) -> Task<Void, Never> {
    let show = sink.stateDisplay
    let tell = sink.listeningDisplay
    return Task(executorPreference: CommandThread.tasks) {
      [source, diagnostics, trouble, life] in
      var wasRecovering = false
      for await state in source.states {
        life.sign()
        show?(state)
        if let update = ListeningUpdate(state) { tell?(update) }
        switch state {
        case .recovering(let reason):
          diagnostics.warning("luna: recovering: \(reason)")
          wasRecovering = true
        case .scanning where wasRecovering:
          diagnostics.note("luna: scanning again")
          wasRecovering = false
        case .recovery(let step) where step.kind != .scan || step.outcome != .done:
          diagnostics.note("luna: \(step)")
        case .starting, .scanning, .paused, .recovery, .lost: break
        }
        trouble.note(state)
      }
    }
  }

  private struct Totals {
    var heard: UInt64 = 0
    var accepted = 0
    var restricted = false
    /// When the first report of a recording was heard.
    var first: Timestamp?
    /// The same of all; recordings that were put together may go back.
    var earliest: Timestamp?
    var latest: Timestamp?

    /// How long a recording is, as far as it was read; how long the reading took says nothing of it.
    var recorded: Duration {
      guard let earliest, let latest else { return .zero }
      let (span, overflows) = latest.microseconds.subtractingReportingOverflow(
        earliest.microseconds)
      return .microseconds(overflows ? 0 : max(0, span))
    }
  }

  private func consume(
    into sink: any ReportSink, recorder: CaptureWriter?, _ losses: LossWatch?,
    totals: inout Totals
  ) async throws {
    totals.restricted = sink.isRestricting
    let span = duration.map(\.wholeMicroseconds)
    while let batch = try await nextBatch() {
      life.sign()
      losses?.heard()
      for (index, report) in batch.enumerated() {
        // A batch of a recording may take long.
        if stop.isInterrupted {
          try await recorder?.write(Array(batch[..<index]))
          return try sink.endBatch()
        }
        if isFile, report.time != .unknown {
          let start = totals.first ?? report.time
          if let span, report.time.microseconds &- start.microseconds > span {
            try await recorder?.write(Array(batch[..<index]))
            stop.give(.complete)
            return try sink.endBatch()
          }
          totals.first = start
          totals.earliest = min(totals.earliest ?? start, report.time)
          totals.latest = max(totals.latest ?? start, report.time)
        }
        totals.heard &+= 1
        do {
          if try sink.take(report) { totals.accepted += 1 }
        } catch {
          // Nobody reads any more; what was heard so far is recorded all the same.
          try await recorder?.write(Array(batch[...index]))
          throw error
        }
        if let count, totals.accepted >= count {
          try await recorder?.write(Array(batch[...index]))
          stop.give(.complete)
          return try sink.endBatch()
        }
      }
      try await recorder?.write(batch)
      try sink.endBatch()
    }
    if let error = trouble.atTheEnd { throw error }
  }

  private func nextBatch() async throws(CommandFailure) -> [AdvertisingReport]? {
    do throws(SourceError) {
      return try await source.nextBatch()
    } catch {
      throw failure(error)
    }
  }

  /// Why the source does not deliver.
  private func failure(_ error: SourceError) -> CommandFailure {
    readPath == nil ? CommandFailure(radio: error) : CommandFailure(error)
  }

  /// What can end the run from outside: the time limit, and a reader of standard output that goes.
  private func startHelpers() -> [Task<Void, Never>] {
    guard !isFile else { return [] }
    var tasks: [Task<Void, Never>] = []
    if let duration {
      tasks.append(
        Task { [stop, source, trouble, diagnostics] in
          try? await Task.sleep(for: duration)
          if !Task.isCancelled, stop.give(.complete) {
            trouble.timeIsOver()
            StalledOutput.watchTheEnd(diagnostics)
            await source.stop()
          }
        })
    }
    ClosedPipe.watch { [stop, source] in
      if stop.give(.closedPipe) { Task { await source.stop() } }
    }
    return tasks
  }

  /// Whether it goes on until somebody ends it, and leaves nothing behind that a new beginning would write anew.
  private var isEndless: Bool { !isFile && duration == nil && count == nil && recordingPath == nil }

  private func watchSignals() {
    let reload = isEndless ? ServiceReload.asked : nil
    SignalWatcher.watch { [stop, source, diagnostics] number in
      if number == SIGUSR1 {
        diagnostics.answer("luna: " + source.counters.statistics)
        return
      }
      if number == SIGHUP, let reload {
        return reload.restart(stop, diagnostics) { await source.stop() }
      }
      // The second time somebody means it; one that is beginning anew has ended what it did.
      guard stop.give(.signal(number)) else {
        Main.end(reload?.statusAtEnd(by: number) ?? 128 + number)
      }
      Task { await source.stop() }
    }
  }

  /// The last line.
  ///
  /// - Parameter isWhole: whether all that was heard was written; where not, the radio is no comfort.
  private func report(
    _ totals: Totals, _ description: SourceDescription, in duration: Duration,
    isWhole: Bool = true
  ) {
    let counters = source.counters
    let origin = (source as? LocalScan)?.source ?? source
    if let file = origin as? CaptureFileSource {
      for line in file.diagnostics.lines(of: description.name) { diagnostics.note("luna: " + line) }
    }
    let heard = self.heard(totals)
    if let times, isFile, isWhole, totals.restricted, totals.accepted == 0, heard > 0 {
      diagnostics.note("luna: 0 of \(heard) advertisements shown" + span(of: totals, times))
    }
    // What came last may not be in a recording that has failed.
    let what =
      if !onlyRecords {
        "\(totals.accepted) of \(heard) advertisements shown"
      } else {
        "\(heard) advertisements \(isWhole ? "recorded" : "heard")"
      }
    var text = "luna: \(what) in \(ListenRun.seconds(duration)) s"
    if isWhole || counters.hasLost { text += "; \(counters.text)" }
    if isFile { diagnostics.detail(text) } else { diagnostics.note(text) }
  }

  /// When a recording was made that was read to its end, for who has asked for another time.
  private func span(of totals: Totals, _ times: ShownTimes) -> String {
    guard stop.reason == nil, let earliest = totals.earliest, let latest = totals.latest else {
      return ""
    }
    return "; the recording is of \(times.moment(earliest)) to \(times.moment(latest))"
  }

  private static func seconds(_ duration: Duration) -> String {
    DecimalText.text(duration.wholeMicroseconds / 100_000, digits: 1)
  }

  private func exitCode(accepted: Int, restricted: Bool) -> ExitCode {
    switch stop.reason {
    case .signal(SIGINT): .interrupted
    case .signal: .terminated
    case .closedPipe: .unread(diagnostics)
    case .reload: .done
    case .complete, nil: accepted == 0 && restricted ? .notFound : .done
    }
  }
}
