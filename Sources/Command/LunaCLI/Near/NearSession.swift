import Bluetooth
import Glibc
import Luna
import LunaBuzzer
import LunaCore
import LunaDocuments
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
  let luna: Luna
  let store: SQLiteDeviceStore
  let ear: TrackerEar
  let printer: NearPrinter
  /// When the command began.
  let began: ContinuousClock.Instant
  /// How long all of it may take from then on; nil for the usual time.
  let total: Duration?

  var target: TrackerTarget { ear.target }
  var diagnostics: Diagnostics { printer.diagnostics }

  /// Does something with the tracker that `name` means.
  ///
  /// - Parameters:
  ///   - prepare: gets the tracker that is meant, before the radio is started.
  ///   - work: gets the session while the radio runs, and what was prepared; is cancelled by Ctrl-C.
  static func run<Prepared: Sendable>(
    _ name: String, _ options: NearOptions, prepare: (TrackerTarget) async throws -> Prepared,
    work: @escaping @Sendable (NearSession, Prepared) async throws -> Result
  ) async -> ExitCode {
    await run(
      options, { owner in try await find(name, owner) }, prepare: prepare, work: work)
  }

  /// What a word means.
  private static func find(_ name: String, _ owner: LunaOwner) async throws -> TrackerTarget {
    do {
      return try await TrackerTarget(name) { try await owner.device(matching: $0) }
    } catch let error as OwnerError where error.kind == .noSuchDevice && name.contains(":") {
      // Meant was an address, not the name of a device.
      throw CommandFailure(
        .usage, "\"\(name)\" is no address", hint: "luna scan --trackers shows addresses")
    }
  }

  /// Does something with a tracker.
  static func run(
    _ target: TrackerTarget, _ options: NearOptions,
    work: @escaping @Sendable (NearSession) async throws -> Result
  ) async -> ExitCode {
    await run(
      options, { _ in target }, prepare: { _ in }, work: { session, _ in try await work(session) })
  }

  private static func run<Prepared: Sendable>(
    _ options: NearOptions, _ find: (LunaOwner) async throws -> TrackerTarget,
    prepare: (TrackerTarget) async throws -> Prepared,
    work: @escaping @Sendable (NearSession, Prepared) async throws -> Result
  ) async -> ExitCode {
    let began = ContinuousClock.now
    // Once, and now: until a time of day it is less with every look.
    let total = options.radio.duration
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    let diagnostics = options.general.diagnostics
    return await CommandRun(output, diagnostics).run {
      let store = try await options.store.open()
      let luna = Luna(try options.makeSettings(store, diagnostics))
      let target = try await find(luna.owner())
      let prepared = try await prepare(target)
      let followed: [Device]
      switch target {
      case .device(let device): followed = [device]
      case .address: followed = try await luna.owner().allDevices()
      }
      let session = NearSession(
        options: options, luna: luna, store: store, ear: TrackerEar(target, luna.local()),
        printer: NearPrinter(format: options.format, diagnostics), began: began, total: total)
      let run = NearbyRun(luna, diagnostics)
      do {
        let result = try await run.run(following: followed, started: session.printer.start) {
          try await session.ear.listen(to: try luna.advertisements()) {
            try await work(session, prepared)
          }
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
    BuzzerLimits(within: total.map { $0 - began.duration(to: .now) })
  }

  /// Keeps what a verified answer tells of the clock: that is better than what listening has taught,
  /// which was saved just now.
  private func keep(_ receipt: ControlReceipt?) async throws {
    guard let clock = receipt?.clock, case .device(let device) = target else { return }
    try await store.save([device.uuid: ClockState(interval: clock)])
  }
}
