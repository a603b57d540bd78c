import Bluetooth
import Glibc
import LunaBuzzer
import LunaCore
import LunaLocal
import LunaOwner
import LunaStore

/// A tracker nearby, and all that is needed to do something with it: the radio runs, the tracker is
/// listened for, Ctrl-C is minded.
struct NearSession: Sendable {
  let options: NearOptions
  let store: SQLiteDeviceStore
  let owner: LunaOwner
  let radio: Radio
  let ear: NearEar
  let printer: NearPrinter
  /// When the command began.
  let began: ContinuousClock.Instant

  var target: NearTarget { ear.target }
  var diagnostics: Diagnostics { printer.diagnostics }

  /// Does something with the tracker that `name` means.
  ///
  /// - Parameter work: gets the session while the radio runs; is cancelled by Ctrl-C.
  static func run(
    _ name: String, _ options: NearOptions,
    _ work: @escaping @Sendable (NearSession) async throws -> ExitCode
  ) async -> ExitCode {
    let began = ContinuousClock.now
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let diagnostics = options.general.diagnostics
    return await CommandRun(output, format: options.format, diagnostics).run {
      let store = try options.store.open()
      let owner = LunaOwner(store: store)
      let target = try await NearTarget(name) { try await owner.device(matching: $0) }
      var configuration = LocalConfiguration()
      configuration.time = options.radio.protocolTime
      let followed: [Device]
      switch target {
      case .device(let device): followed = [device]
      case .address: followed = try await store.allDevices()
      }
      let following = try await LocalFollowing(
        followed, configuration: configuration, store: store, diagnostics: diagnostics)
      let session = NearSession(
        options: options, store: store, owner: owner,
        radio: try options.radio.makeRadio(
          state: try options.store.state.path(), diagnostics),
        ear: NearEar(target, following),
        printer: NearPrinter(format: options.format, diagnostics), began: began)
      return try await session.run(work)
    }
  }

  private func run(
    _ work: @escaping @Sendable (NearSession) async throws -> ExitCode
  ) async throws -> ExitCode {
    let stop = StopRequest()
    let task = Task { try await listen(while: work) }
    SignalWatcher.watch { number in
      if number == SIGUSR1 { return }
      // The second time somebody means it.
      guard stop.give(.signal(number)) else { _exit(128 + number) }
      task.cancel()
    }
    let result = await task.result
    switch stop.reason {
    case .signal(SIGINT): return .interrupted
    case .signal: return .terminated
    case .complete, .closedPipe, nil: return try result.get()
    }
  }

  /// Runs the radio, and the work meanwhile; the radio's end is the work's.
  private func listen(
    while work: @escaping @Sendable (NearSession) async throws -> ExitCode
  ) async throws -> ExitCode {
    try await radio.source.start()
    let description = radio.source.description
    diagnostics.note("luna: " + description.explanation)
    printer.start(description)
    let working = Task { try await work(self) }
    let pump = Task { () -> SourceError? in
      do throws(SourceError) {
        while let batch = try await radio.source.nextBatch() { ear.receive(batch) }
        return nil
      } catch {
        // Nothing can come of the work without a radio.
        working.cancel()
        return error
      }
    }
    let result = await withTaskCancellationHandler {
      await working.result
    } onCancel: {
      working.cancel()
    }
    // On the way out nothing is cut short: connections end, and the scan is switched off.
    return try await Task {
      await radio.client.close()
      await radio.source.stop()
      let failure = await pump.value
      if let failure, case .failure = result { throw failure }
      return try result.get()
    }.value
  }

  /// How long things may take.
  var limits: BuzzerLimits {
    var limits = BuzzerLimits()
    if let total = options.radio.duration {
      limits.total = total
      limits.silence = min(limits.silence, total)
    }
    return limits
  }

  /// What commands one's own trackers.
  var buzzer: LunaBuzzer {
    let time = options.radio.protocolTime
    return LunaBuzzer(
      client: radio.client, packages: owner, store: store,
      configuration: BuzzerConfiguration(limits: limits, protocolTime: { time($0) }))
  }

  /// Saves what listening has taught, and then what a verified answer tells of the clock, which is
  /// better.
  func keep(_ receipt: ControlReceipt) async throws {
    await ear.save()
    guard case .device(let device) = target, let clock = receipt.clock else { return }
    try await store.save([device.uuid: ClockState(interval: clock)])
  }
}
