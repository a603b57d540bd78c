public import Bluetooth
import Diagnosis
import Dispatch
public import LunaCore
import LunaCrypto
public import LunaProtocol
import Synchronization

/// Makes trackers sound, and tells them other things, over a connection.
///
/// ```swift
/// let buzzer = LunaBuzzer(client: radio.client, packages: owner, store: store)
/// let receipt = try await buzzer.buzz(device, seconds: 10)
/// ```
///
/// The device is one that `LunaLocal` follows: the buzzer waits until it is heard and accepts
/// connections. What comes back is verified where the store has the keys. May be used from any
/// thread.
public final class LunaBuzzer: Sendable {
  /// Gets what came of ``startBuzzing(localDevice:)``.
  public typealias EventHandler = @Sendable (LunaBuzzerEvent) -> Void
  /// Gets how far a command has come.
  public typealias ProgressHandler = @Sendable (BuzzerProgress) -> Void

  private struct State {
    var onEvent: EventHandler?
    var session: Task<Void, Never>?
    /// The device that sounds because of this buzzer, or is to, with its owner's keys at hand.
    var sounding: LocalDevice?
    /// Tells the one of a run before to be silent.
    var silencing: (device: LocalDevice, task: Task<Void, Never>)?
    var number = 0
    /// The last run whose command went out.
    var sent = 0
  }

  /// How it works.
  public let configuration: BuzzerConfiguration
  private let client: any GATTClient
  private let packages: (any PackageProvider)?
  private let store: (any DeviceStore)?
  let clock: WallClock
  private let logger: any Logger
  private let state = Mutex(State())
  private let listeners = Listeners<LunaBuzzerEvent>(keeping: 64)
  private let errorListeners = Listeners<BuzzerError>(keeping: 64)
  /// Where callbacks are called, one after the other.
  private let queue = DispatchQueue(label: "luna.buzzer")

  /// A buzzer.
  ///
  /// - Parameters:
  ///   - client: what connects; it stays the caller's.
  ///   - packages: who makes packages for one's own trackers: a `LunaOwner`; nil for who only
  ///     delivers those of others.
  ///   - store: has the keys, to verify what comes back, and keeps what that tells of clocks; nil for
  ///     who passes answers on.
  ///   - clock: what time limits are measured with.
  public init(
    client: any GATTClient, packages: (any PackageProvider)? = nil,
    store: (any DeviceStore)? = nil, configuration: BuzzerConfiguration = BuzzerConfiguration(),
    clock: WallClock = .system, logger: any Logger = ConsoleLogger(level: .ERROR)
  ) {
    self.client = client
    self.packages = packages
    self.store = store
    self.configuration = configuration
    self.clock = clock
    self.logger = logger
  }

  /// Called with what came of buzzing, on a queue of its own, never twice at once. Without it, and
  /// without anybody who follows ``updates`` or ``errors``, failures are logged.
  public var onEvent: EventHandler? {
    get { state.withLock { $0.onEvent } }
    set { state.withLock { $0.onEvent = newValue } }
  }

  /// What comes of buzzing from now on. Who is slow gets the last 64.
  public var updates: AsyncStream<LunaBuzzerEvent> { listeners.makeStream() }

  /// Why trackers do not sound, from now on; ``updates`` tell it as well. Who is slow gets the last 64.
  public var errors: AsyncStream<BuzzerError> { errorListeners.makeStream() }

  /// Makes one of the owner's trackers sound for 12 s. What was being buzzed before is given up.
  public func startBuzzing(localDevice device: LocalDevice) {
    start(device, canStop: true) { (buzzer, progress) throws(BuzzerError) in
      try await buzzer.buzz(device, progress: progress)
    }
  }

  /// Makes a tracker sound with one of the packages of its owner: that which is for what the tracker
  /// shows now. When none is, it fails with ``BuzzerError/Kind/noMatchingPackage``.
  public func startBuzzing(localDevice device: LocalDevice, controlPackages: [ControlPackage]) {
    start(device, canStop: false) { (buzzer, _) throws(BuzzerError) in
      try await buzzer.deliver(controlPackages, to: device)
    }
  }

  /// Gives up what is under way; a tracker that sounds already is told to be silent, where the
  /// owner's packages can be made. It may sound before its answer has come.
  public func stopBuzzing() {
    state.withLock { state in
      let (session, sounding, number) = (state.session, state.sounding, state.number)
      session?.cancel()
      state.session = nil
      state.sounding = nil
      state.number += 1
      guard let sounding else { return }
      let task = Task { [self] in
        await session?.value
        guard wasSent(number) else { return }
        do throws(BuzzerError) {
          _ = try await send(.buzzStop, to: sounding)
        } catch {
          if !Task.isCancelled { tell(.failed(error)) }
        }
      }
      state.silencing = (sounding, task)
    }
  }

  private func start(
    _ device: LocalDevice, canStop: Bool,
    _ work:
      @escaping @Sendable (
        LunaBuzzer, @escaping ProgressHandler
      ) async throws(BuzzerError) -> ControlReceipt
  ) {
    state.withLock { state in
      state.session?.cancel()
      state.sounding = canStop ? device : nil
      state.number += 1
      let number = state.number
      // What is told to be silent after it was told to sound is silent.
      let silencing = state.silencing?.device === device ? state.silencing?.task : nil
      silencing?.cancel()
      state.session = Task { [weak self] in
        await silencing?.value
        guard let self else { return }
        do throws(BuzzerError) {
          let receipt = try await work(self) { [weak self] step in
            if step == .sent { self?.note(sent: number) }
          }
          if end(number) { tell(.buzzing(receipt)) }
        } catch {
          if end(number, failed: true) { tell(.failed(error)) }
        }
      }
    }
  }

  private func note(sent number: Int) { state.withLock { $0.sent = max($0.sent, number) } }

  private func wasSent(_ number: Int) -> Bool { state.withLock { $0.sent == number } }

  /// Ends a session; false when another has taken its place.
  private func end(_ number: Int, failed: Bool = false) -> Bool {
    state.withLock { state in
      guard state.number == number else { return false }
      state.session = nil
      if failed { state.sounding = nil }
      return true
    }
  }

  private func tell(_ event: LunaBuzzerEvent) {
    let isHeard = !listeners.isEmpty || !errorListeners.isEmpty
    listeners.tell(event)
    if case .failed(let error) = event { errorListeners.tell(error) }
    if let handler = onEvent {
      queue.async { handler(event) }
    } else if case .failed(let error) = event, !isHeard {
      logger.log(.ERROR, "\(error)")
    }
  }

  /// Makes one of the owner's trackers sound.
  ///
  /// - Parameters:
  ///   - seconds: for how long, 1 to 60; 0 is 12.
  ///   - limits: how long things may take; nil for those of ``configuration``.
  ///   - progress: gets how far it has come.
  /// - Throws: ``BuzzerError``; of kind `stopped` when the task is cancelled.
  /// - Returns: what the tracker answered, verified.
  @discardableResult
  public func buzz(
    _ device: LocalDevice, seconds: UInt16 = ControlCommand.defaultSeconds,
    limits: BuzzerLimits? = nil, progress: @escaping ProgressHandler = { _ in }
  ) async throws(BuzzerError) -> ControlReceipt {
    try await send(
      .buzzStart, argument: seconds, to: device, limits: limits, progress: progress)
  }

  /// Tells one of the owner's trackers something, over a challenge. What its verified answer says of
  /// its clock is kept in the store. When the tracker proves that it has seen a newer command, as one with
  /// whom it is shared can make it, it is told again with a higher counter, once; the limits are for
  /// each.
  ///
  /// - Parameters:
  ///   - argument: seconds for `buzzStart` and `blink`, else 0.
  ///   - limits: how long things may take; nil for those of ``configuration``.
  ///   - progress: gets how far it has come.
  /// - Throws: ``BuzzerError``.
  /// - Returns: what the tracker answered, with the status `done`.
  @discardableResult
  public func send(
    _ command: ControlCommand, argument: UInt16 = 0, to device: LocalDevice,
    limits: BuzzerLimits? = nil, progress: @escaping ProgressHandler = { _ in }
  ) async throws(BuzzerError) -> ControlReceipt {
    guard let uuid = device.uuid, let packages else {
      throw BuzzerError(
        .noPackage, "it is not one of your trackers",
        remedy: "trackers of others ring with a package of their owner, or \(.ringingAsStranger)")
    }
    let delivery = try await delivery(device, progress: progress) {
      try await packages.interactivePackage(
        $0, argument: $1, for: uuid, challenge: $2, at: $3)
    }
    let request = ControlRequest.interactive(command, argument: argument)
    let receipt: ControlReceipt
    do throws(BuzzerError) {
      receipt = try await delivery.run(request, limits: limits ?? configuration.limits)
    } catch {
      guard let clock = error.clockOfStale else { throw error }
      // A clock is only set with a counter that is the time.
      guard command != .setClock else { throw .rungMeanwhile(clock, error) }
      let now = configuration.protocolTime(self.clock.now())
      guard (try? await packages.prepareAgain(for: uuid, trackerTime: clock, at: now)) == true
      else { throw error }
      receipt = try await delivery.run(request, limits: limits ?? configuration.limits)
    }
    if let store, let clock = receipt.clock {
      do throws(DeviceStoreError) {
        try await store.save([uuid: ClockState(interval: clock)])
      } catch {
        // The tracker has obeyed; its next sighting tells of the clock again.
        logger.log(.ERROR, "what was learned of the clock of \(uuid) is not kept: \(error)")
      }
    }
    return receipt
  }

  /// Delivers one of several packages made from afar: that which is for what the tracker shows now.
  ///
  /// - Throws: ``BuzzerError``; of kind `noMatchingPackage` when none is.
  /// - Returns: what the tracker answered: verified when it is one's own, else as it came.
  @discardableResult
  public func deliver(
    _ controlPackages: [ControlPackage], to device: LocalDevice, limits: BuzzerLimits? = nil,
    progress: @escaping ProgressHandler = { _ in }
  ) async throws(BuzzerError) -> ControlReceipt {
    try await delivery(device, progress: progress, makePackage: nil)
      .run(.deferred(controlPackages), limits: limits ?? configuration.limits)
  }

  private func delivery(
    _ device: LocalDevice, progress: @escaping ProgressHandler,
    makePackage: ControlDelivery.PackageMaker?
  ) async throws(BuzzerError) -> ControlDelivery {
    ControlDelivery(
      client: client, device: device, keys: try await keys(of: device), makePackage: makePackage,
      clock: clock, protocolTime: configuration.protocolTime, progress: progress)
  }

  /// The keys of a device that is one's own; nil for others.
  private func keys(of device: LocalDevice) async throws(BuzzerError) -> TrackerKeys? {
    guard let uuid = device.uuid, let store else { return nil }
    do {
      let devices = try await store.allDevices()
      guard let masterKey = devices.first(where: { $0.uuid == uuid })?.masterKey else { return nil }
      var schedule = try KeySchedule()
      return schedule.keys(of: masterKey)
    } catch {
      throw BuzzerError(.noPackage, "the keys of \(uuid) cannot be read: \(error)")
    }
  }
}

extension LunaBuzzer: CommandRunner {
  /// Delivers a package of somebody else to a device that is heard.
  public func run(_ package: ControlPackage, on device: LocalDevice) async -> CommandOutcome {
    do throws(BuzzerError) {
      return CommandOutcome(.done, receipt: try await deliver([package], to: device).bytes)
    } catch {
      return CommandOutcome(error)
    }
  }
}

extension CommandOutcome {
  /// What a failure means to who asked for the command.
  init(_ error: BuzzerError) {
    if let receipt = error.receipt,
      [Receipt.byteCount, Receipt.shortByteCount].contains(receipt.count)
    {
      // Only the owner can judge it.
      self.init(.done, receipt: receipt, detail: error.reason)
      return
    }
    let kind: Kind =
      switch error.kind {
      case .notHeard, .notConnectable, .unreachable, .noMatchingPackage, .adapter, .stopped:
        .notReached
      default: .failed
      }
    self.init(kind, detail: error.reason)
  }
}
