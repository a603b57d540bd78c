import BlueZ
import Bluetooth
import Glibc
import LunaOutlets
import LunaProtocol
import LunaTracker

/// Trackers that run until something says stop.
struct TrackerSession: Sendable {
  let flashes: [TrackerFlash]
  let radio: any AdvertisingRadio
  let settings: TrackerRun.Settings
  let duration: Duration?
  /// Runs beside the trackers.
  let command: TrackerEvents?
  let diagnostics: Diagnostics

  func run() async throws -> ExitCode {
    let stop = StopRequest()
    let printer = TrackerPrinter()
    // Set before anything can stop it: a printer that nobody listens to ends the run.
    let trackers = TrackerRun(radio: radio, settings: settings) { [command, diagnostics] news in
      printer.print(news)
      command?.tell(news)
      if case .sound(let seconds?) = news.event {
        diagnostics.note("luna: \(news.tracker) makes a sound for \(seconds) s")
      }
    }
    @Sendable func end(_ reason: StopRequest.Reason) {
      if stop.give(reason) { trackers.stop() }
    }
    printer.onClosedPipe = { end(.closedPipe) }
    SignalWatcher.watch { [diagnostics] number in
      if number == SIGUSR1 { return diagnostics.answer("luna: " + printer.statistics) }
      guard stop.reason == nil else { Main.end(128 + number) }
      end(.signal(number))
    }
    let summary = try await trackers.open(flashes)
    diagnostics.note("luna: \(summary.explanation)")
    for deviation in summary.deviations {
      diagnostics.note("luna: deviates from the protocol: \(deviation)")
    }
    printer.start(summary)
    let timer = duration.map { duration in
      Task {
        try? await Task.sleep(for: duration)
        guard !Task.isCancelled else { return }
        StalledOutput.watchTheEnd(diagnostics)
        end(.complete)
      }
    }
    defer { timer?.cancel() }
    TrackerInputReader.start(names: flashes.map(\.name), diagnostics) { [trackers] event, name in
      trackers.send(event, to: name)
    }
    let commands = command.map { command in Task { await command.run() } }
    do {
      try await trackers.run()
    } catch {
      await command?.close()
      throw error
    }
    await command?.close()
    await commands?.value
    return switch stop.reason {
    case .signal(SIGINT): .interrupted
    case .signal: .terminated
    case .closedPipe, .complete, .reload, nil: .done
    }
  }
}
