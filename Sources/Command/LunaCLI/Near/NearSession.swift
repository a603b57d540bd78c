import Bluetooth
import Glibc
import LunaBuzzer
import LunaCore
import LunaLocal
import LunaOwner
import LunaProtocol
import LunaStore

/// A tracker nearby, and all that is needed to do something with it, while the radio runs.
struct NearSession: Sendable {
  /// What something that was done ends with.
  struct Result: Sendable {
    var code = ExitCode.done
    /// What the tracker answered, where that tells of its clock.
    var receipt: ControlReceipt?
  }

  let options: NearOptions
  let store: SQLiteDeviceStore
  let owner: LunaOwner
  let client: any GATTClient
  let ear: NearEar
  let printer: NearPrinter
  /// When the command began.
  let began: ContinuousClock.Instant

  var target: NearTarget { ear.target }
  var diagnostics: Diagnostics { printer.diagnostics }

  /// Does something with the tracker that `name` means.
  ///
  /// - Parameters:
  ///   - prepare: gets the tracker that is meant, before the radio is started.
  ///   - work: gets the session while the radio runs, and what was prepared; is cancelled by Ctrl-C.
  static func run<Prepared: Sendable>(
    _ name: String, _ options: NearOptions, prepare: (NearTarget) throws -> Prepared,
    _ work: @escaping @Sendable (NearSession, Prepared) async throws -> Result
  ) async -> ExitCode {
    await run(
      options, { owner in try await NearTarget(name) { try await owner.device(matching: $0) } },
      prepare: prepare, work)
  }

  /// Does something with a tracker.
  static func run(
    _ target: NearTarget, _ options: NearOptions,
    _ work: @escaping @Sendable (NearSession) async throws -> Result
  ) async -> ExitCode {
    await run(options, { _ in target }, prepare: { _ in }) { session, _ in
      try await work(session)
    }
  }

  private static func run<Prepared: Sendable>(
    _ options: NearOptions, _ find: (LunaOwner) async throws -> NearTarget,
    prepare: (NearTarget) throws -> Prepared,
    _ work: @escaping @Sendable (NearSession, Prepared) async throws -> Result
  ) async -> ExitCode {
    let began = ContinuousClock.now
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let diagnostics = options.general.diagnostics
    return await CommandRun(output, diagnostics).run {
      let store = try options.store.open()
      let owner = LunaOwner(store: store)
      let target = try await find(owner)
      let prepared = try prepare(target)
      let followed: [Device]
      switch target {
      case .device(let device): followed = [device]
      case .address: followed = try await store.allDevices()
      }
      let following = try await LocalFollowing(
        followed, configuration: options.localConfiguration, store: store,
        diagnostics: diagnostics)
      let room = try options.radio.makeRoom(
        state: try options.store.state.path(), diagnostics)
      let radio = try options.radio.makeRadio(in: room)
      let session = NearSession(
        options: options, store: store, owner: owner, client: radio.client,
        ear: NearEar(target, following), printer: NearPrinter(format: options.format, diagnostics),
        began: began)
      let run = RadioSession(radio, following, diagnostics) { session.ear.receive($0) }
      do {
        let result = try await run.run(started: session.printer.start) {
          try await work(session, prepared)
        }
        try await session.keep(result.receipt)
        return run.interruption ?? result.code
      } catch {
        if let code = run.interruption { return code }
        throw error
      }
    }
  }

  /// How long things may take from now on. What is given is for all of it, from the beginning of the
  /// command to the answer.
  var limits: BuzzerLimits {
    var limits = BuzzerLimits()
    if let total = options.radio.duration {
      limits.total = max(.zero, total - began.duration(to: .now))
      limits.silence = min(limits.silence, limits.total)
    }
    return limits
  }

  /// What commands one's own trackers.
  var buzzer: LunaBuzzer {
    let time = options.radio.clock.time
    return LunaBuzzer(
      client: client, packages: owner, store: store,
      configuration: BuzzerConfiguration(limits: limits, protocolTime: { time($0) }))
  }

  /// Keeps what a verified answer tells of the clock: that is better than what listening has taught,
  /// which was saved just now.
  private func keep(_ receipt: ControlReceipt?) async throws {
    guard let clock = receipt?.clock, case .device(let device) = target else { return }
    try await store.save([device.uuid: ClockState(interval: clock)])
  }
}
