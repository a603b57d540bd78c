import Bluetooth
import Glibc
import Luna
import LunaCore
import LunaLocal

/// Something that is done over connections while the trackers nearby are followed.
struct NearbyRun: Sendable {
  let luna: Luna
  let diagnostics: Diagnostics
  private let stop = StopRequest()

  init(_ luna: Luna, _ diagnostics: Diagnostics) {
    self.luna = luna
    self.diagnostics = diagnostics
  }

  /// The exit code when a signal ended it; nil otherwise.
  var interruption: ExitCode? {
    switch stop.reason {
    case .signal(SIGINT): .interrupted
    case .signal: .terminated
    case .complete, .closedPipe, .reload, nil: nil
    }
  }

  /// Begins to listen, does the work, and lets go of everything. A signal cancels the work.
  ///
  /// - Parameters:
  ///   - devices: those that are followed.
  ///   - started: called with what the radio is, before the work.
  /// - Throws: what the work throws; or why the radio failed for good.
  func run<Result: Sendable>(
    following devices: [Device], started: (SourceDescription) throws -> Void,
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let local = luna.local()
    let errors = local.errors
    let description = try await local.start(devices)
    diagnostics.note("luna: " + description.explanation)
    do {
      try started(description)
    } catch {
      await local.stop()
      throw error
    }
    let working = Task(executorPreference: CommandThread.tasks) { try await work() }
    SignalWatcher.watch { [stop, diagnostics] number in
      if number == SIGUSR1 { return diagnostics.answer("luna: " + local.counters.statistics) }
      guard stop.give(.signal(number)) else { Main.end(128 + number) }
      working.cancel()
    }
    let watching = Task { [diagnostics] in
      var failure: SourceError?
      for await error in errors {
        guard let error = error as? SourceError else {
          diagnostics.note("luna: \(error)")
          continue
        }
        failure = error
        working.cancel()
      }
      return failure
    }
    let result = await working.result
    await local.stop()
    if let failure = await watching.value, case .failure = result {
      throw CommandFailure(radio: failure)
    }
    return try result.get()
  }
}
