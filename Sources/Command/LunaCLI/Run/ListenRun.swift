import Bluetooth
import CLinux
import Captures
import Glibc

/// A source listened to until it ends or something says stop: what `scan` and `capture` share.
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
  let diagnostics: Diagnostics
  let stop = StopRequest()

  /// Listens.
  ///
  /// - Parameter makeSink: Called when the source has started, with what it is.
  /// - Returns: The exit code, when nothing failed.
  func run(
    _ makeSink: (SourceDescription) throws -> any ReportSink
  ) async throws -> ExitCode {
    let recorder = try recordingPath.map { path in
      do throws(SourceError) {
        return try CaptureWriter(path: path, reading: readPath, replacing: overwrites)
      } catch {
        throw CommandFailure(error)
      }
    }
    watchSignals()
    do throws(SourceError) {
      try await source.start()
    } catch {
      // A signal during the start is why it failed, not a fault.
      if let reason = stop.reason, reason != .complete {
        return exitCode(accepted: 0, restricted: false)
      }
      throw CommandFailure(error)
    }
    let description = source.description
    if !isFile { diagnostics.note("luna: " + description.explanation) }
    let began = ContinuousClock.now
    let helpers = startHelpers()
    defer { helpers.forEach { $0.cancel() } }
    var totals = Totals()
    let sink = try makeSink(description)
    let watcher = watchStates(sink)
    do {
      try await consume(into: sink, recorder: recorder, totals: &totals)
      await source.stop()
      if stop.reason == nil || stop.reason == .complete { try sink.finish() }
      try recorder?.finish()
    } catch let error as OutputBuffer.WriteError where error.isClosedPipe {
      stop.give(.closedPipe)
    } catch {
      await end(sink, watcher, summary(totals, since: began))
      report(totals, description, since: began)
      throw error
    }
    await end(sink, watcher, summary(totals, since: began))
    report(totals, description, since: began)
    return exitCode(accepted: totals.accepted, restricted: totals.restricted)
  }

  private func end(
    _ sink: any ReportSink, _ watcher: Task<Void, Never>, _ summary: ListenSummary
  ) async {
    watcher.cancel()
    await source.stop()
    await watcher.value
    if stop.reason != .closedPipe { sink.summarize(summary) }
    await sink.close()
  }

  private func summary(
    _ totals: Totals, since began: ContinuousClock.Instant
  ) -> ListenSummary {
    let counters = source.counters
    return ListenSummary(
      heard: counters.reports, shown: totals.accepted, dropped: counters.losses,
      duration: began.duration(to: .now))
  }

  /// Tells what the source is doing when that changes: in the table, or a line each.
  private func watchStates(_ sink: any ReportSink) -> Task<Void, Never> {
    let show = sink.stateDisplay
    let tell = sink.listeningDisplay
    let losses = tell.map { tell in Task { [source] in await ListenRun.watchLosses(source, tell) } }
    return Task { [source, diagnostics] in
      defer { losses?.cancel() }
      var wasRecovering = false
      for await state in source.states {
        show?(state)
        if let update = ListeningUpdate(state) { tell?(update) }
        switch state {
        case .recovering(let reason):
          diagnostics.note("luna: recovering: \(reason)")
          wasRecovering = true
        case .scanning where wasRecovering:
          diagnostics.note("luna: scanning again")
          wasRecovering = false
        case .starting, .scanning, .lost: break
        }
      }
    }
  }

  /// Tells once a second what was lost, and what is left to tell at the end.
  private static func watchLosses(
    _ source: any AdvertisementSource, _ tell: @Sendable (ListeningUpdate) -> Void
  ) async {
    var losses = SourceLosses()
    while !Task.isCancelled {
      try? await Task.sleep(for: .seconds(1))
      for (reason, count) in losses.take(source.counters) {
        tell(.dropped(reason: reason, count: count))
      }
    }
  }

  private struct Totals {
    var accepted = 0
    var restricted = false
  }

  private func consume(
    into sink: any ReportSink, recorder: CaptureWriter?, totals: inout Totals
  ) async throws {
    totals.restricted = sink.isRestricting
    var first: Timestamp?
    let span = duration.map(ListenRun.microseconds)
    while let batch = try await source.nextBatch() {
      for (index, report) in batch.enumerated() {
        // A batch of a recording may take long.
        if stop.isInterrupted {
          try recorder?.write(Array(batch[..<index]))
          return try sink.endBatch()
        }
        if isFile, let span, report.time != .unknown {
          let start = first ?? report.time
          first = start
          if report.time.microseconds &- start.microseconds > span {
            try recorder?.write(Array(batch[..<index]))
            stop.give(.complete)
            return try sink.endBatch()
          }
        }
        do {
          if try sink.take(report) { totals.accepted += 1 }
        } catch {
          // Nobody reads any more; what was heard so far is recorded all the same.
          try recorder?.write(Array(batch[...index]))
          throw error
        }
        if let count, totals.accepted >= count {
          try recorder?.write(Array(batch[...index]))
          stop.give(.complete)
          return try sink.endBatch()
        }
      }
      try recorder?.write(batch)
      try sink.endBatch()
    }
  }

  private static func microseconds(_ duration: Duration) -> Int64 {
    duration.components.seconds &* 1_000_000 &+ duration.components.attoseconds / 1_000_000_000_000
  }

  /// Tasks that can end the run from outside: the time limit, and a look at standard output, since
  /// a pipe that nobody reads is only noticed by writing to it.
  private func startHelpers() -> [Task<Void, Never>] {
    guard !isFile else { return [] }
    var tasks: [Task<Void, Never>] = []
    if let duration {
      tasks.append(
        Task { [stop, source] in
          try? await Task.sleep(for: duration)
          if !Task.isCancelled, stop.give(.complete) { await source.stop() }
        })
    }
    tasks.append(
      Task { [stop, source] in
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(1))
          var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
          if poll(&output, 1, 0) == 1, Int32(output.revents) & POLLERR != 0,
            stop.give(.closedPipe)
          {
            await source.stop()
          }
        }
      })
    return tasks
  }

  private func watchSignals() {
    SignalWatcher.watch { [stop, source, diagnostics] number in
      if number == SIGUSR1 {
        diagnostics.note("luna: " + source.counters.text)
        return
      }
      // The second time somebody means it.
      guard stop.give(.signal(number)) else {
        luna_terminal_leave()
        _exit(128 + number)
      }
      Task { await source.stop() }
    }
  }

  private func report(
    _ totals: Totals, _ description: SourceDescription, since began: ContinuousClock.Instant
  ) {
    let counters = source.counters
    if let file = source as? CaptureFileSource {
      for line in file.diagnostics.lines(of: description.name) { diagnostics.note("luna: " + line) }
    }
    let text =
      "luna: \(totals.accepted) of \(counters.reports) advertisements shown in "
      + "\(ListenRun.seconds(began.duration(to: .now))) s; \(counters.text)"
    if isFile { diagnostics.detail(text) } else { diagnostics.note(text) }
  }

  private static func seconds(_ duration: Duration) -> String {
    DecimalText.text(microseconds(duration) / 100_000, digits: 1)
  }

  private func exitCode(accepted: Int, restricted: Bool) -> ExitCode {
    switch stop.reason {
    case .signal(SIGINT): .interrupted
    case .signal: .terminated
    case .closedPipe: .done
    case .complete, nil: accepted == 0 && restricted ? .notFound : .done
    }
  }
}
