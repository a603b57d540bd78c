public import Bluetooth
import Diagnosis
import Dispatch
public import LunaCore
import LunaProtocol
import Synchronization

/// Follows one's own trackers by their advertisements, and shows the foreign ones nearby.
///
/// ```swift
/// let local = LunaLocal(store: store) { try makeSource(.auto) }
/// local.startScanning(try await store.allDevices())
/// for await update in local.updates { print(update.event, update.device.identifier) }
/// ```
///
/// The radio and the store are the caller's: any `AdvertisementSource`, any `DeviceStore`. May be
/// used from any thread.
public final class LunaLocal: Sendable {
  /// Gives a source that was not started; called at each start of a scan.
  public typealias SourceMaker = @Sendable () throws(SourceError) -> any AdvertisementSource
  /// Gets all devices after something happened to one of them.
  public typealias DevicesHandler = @Sendable ([LocalDevice]) -> Void
  /// Gets what went wrong; the scan goes on after a ``LocalProblem``.
  public typealias ErrorHandler = @Sendable (any Error) -> Void
  /// Gets what the radio does, and what was lost.
  public typealias ListeningHandler = @Sendable (ListeningUpdate) -> Void

  private struct State {
    /// The scan that is on, or the last one.
    var scan: LocalScan?
    /// Tells what it loses.
    var losses: LossWatch?
    /// Those who are told of its radio, until that was let go; and before a scan, of the one that begins.
    var radioListeners = Listeners<ListeningUpdate>(keeping: 1024)
    /// Drives it; nil when somebody else does.
    var driver: Task<Void, Never>?
    /// The end of the scan before: until then it has the radio, and what it learned is not saved.
    var ending: Task<Void, Never>?
    var isScanning = false
    var onDevicesUpdate: DevicesHandler?
    var onError: ErrorHandler?
    var onListeningUpdate: ListeningHandler?
    /// What was told of the radio last.
    var listening: ListeningUpdate?
  }

  /// How it listens.
  public let configuration: LocalConfiguration
  private let store: any DeviceStore
  private let clock: WallClock
  private let logger: any Logger
  private let makeSource: SourceMaker
  private let state = Mutex(State())
  private let listeners = Listeners<LocalUpdate>(keeping: 1024)
  private let errorListeners = Listeners<any Error>(keeping: 64)
  private let rope = BellRope()
  /// Where callbacks are called, one after the other.
  private let queue = DispatchQueue(label: "luna.local")

  /// A follower that does not listen yet.
  ///
  /// - Parameters:
  ///   - store: keeps clocks and sightings.
  ///   - clock: what time-outs are measured with.
  ///   - makeSource: gives the radio.
  public init(
    store: any DeviceStore, configuration: LocalConfiguration = LocalConfiguration(),
    clock: WallClock = .system, logger: any Logger = ConsoleLogger(level: .ERROR),
    source makeSource: @escaping SourceMaker
  ) {
    self.store = store
    self.configuration = configuration
    self.clock = clock
    self.logger = logger
    self.makeSource = makeSource
  }

  /// The tracked devices, heard or not, then the foreign ones that are present.
  public var devices: [LocalDevice] { state.withLock(\.scan)?.devices ?? [] }

  /// What was heard and lost by the scan that is on, or the last one.
  public var counters: SourceCounters { state.withLock(\.scan)?.counters ?? SourceCounters() }

  /// Called with all devices when something has happened, on a queue of its own, never twice at once.
  public var onDevicesUpdate: DevicesHandler? {
    get { state.withLock { $0.onDevicesUpdate } }
    set { state.withLock { $0.onDevicesUpdate = newValue } }
  }

  /// Called with what goes wrong, on the same queue. Without it, and without anybody who follows
  /// ``errors``, that is logged.
  public var onError: ErrorHandler? {
    get { state.withLock { $0.onError } }
    set { state.withLock { $0.onError = newValue } }
  }

  /// Called with what the radio does and with what was lost, on the same queue: an adapter that dies
  /// and comes back is told of here.
  public var onListeningUpdate: ListeningHandler? {
    get { state.withLock { $0.onListeningUpdate } }
    set { state.withLock { $0.onListeningUpdate = newValue } }
  }

  /// What the radio does, and what was lost, from now on, until the scan is stopped and the radio let go.
  /// Who follows ``updates`` too slowly loses the oldest: these are counted here, as `DropReason.updates`.
  public var listeningUpdates: AsyncStream<ListeningUpdate> {
    state.withLock(\.radioListeners).makeStream()
  }

  /// What goes wrong from now on, until the scan is stopped: a ``LocalProblem``, after which it goes on,
  /// or what has ended it. Who is slow gets the last 64.
  public var errors: AsyncStream<any Error> { errorListeners.makeStream() }

  /// What happens to devices from now on, until the scan is stopped. Who is slow gets the last 1,024.
  public var updates: AsyncStream<LocalUpdate> { listeners.makeStream() }

  /// Begins to listen. The tracked devices are in ``devices`` when this returns, empty; a scan that
  /// is on is stopped first.
  public func startScanning(_ trackedDevices: [Device] = []) {
    do {
      let scan = try begin(trackedDevices)
      state.withLock { state in
        guard state.scan === scan, state.isScanning else { return }
        state.driver = Task { [weak self, before = state.ending] in
          await before?.value
          do {
            try await scan.load()
            _ = try await self?.open(scan)
            try await self?.drive(scan)
          } catch {
            self?.tell(error, of: scan)
          }
        }
      }
    } catch {
      tell(error)
    }
  }

  /// Begins to listen, and returns when the radio delivers. Otherwise as ``startScanning(_:)``.
  ///
  /// - Throws: what is in the way: `SourceError` of the radio, `DeviceStoreError`.
  /// - Returns: what is listened to.
  @discardableResult
  public func start(_ trackedDevices: [Device] = []) async throws -> SourceDescription {
    let scan = try await scan(trackedDevices)
    let description: SourceDescription
    do {
      description = try await open(scan)
    } catch {
      end(scan)
      throw error
    }
    state.withLock { state in
      guard state.scan === scan, state.isScanning else { return }
      state.driver = Task { [weak self] in
        do {
          try await self?.drive(scan)
        } catch {
          self?.tell(error, of: scan)
        }
      }
    }
    return description
  }

  /// A scan that the caller drives, and that takes the place of the one that is on, once that has let the radio go.
  /// It is what ``devices``, ``updates`` and ``errors`` tell of, until it is stopped here or another one begins.
  ///
  /// - Throws: `DeviceStoreError` when what is known cannot be read.
  public func scan(_ trackedDevices: [Device] = []) async throws -> LocalScan {
    let scan = try begin(trackedDevices)
    await state.withLock { $0.scan === scan && $0.isScanning ? $0.ending : nil }?.value
    do {
      try await scan.load()
    } catch {
      end(scan)
      throw error
    }
    return scan
  }

  /// Stops listening; ``devices`` stay as they are. What was learned is saved soon after;
  /// ``stop()`` waits for it.
  public func stopScanning() { _ = end() }

  /// Stops listening, saves what was learned, and returns when the radio has been let go; also where the scan was
  /// stopped before.
  public func stop() async { await end()?.value }

  /// Stops listening and forgets what was heard; the store keeps what it has.
  public func reset() {
    stopScanning()
    let isOver = state.withLock { state in
      // One that another thread has begun since would go on, and nobody could stop it.
      guard !state.isScanning else { return false }
      state.scan = nil
      return true
    }
    if isOver { callBack([]) }
  }

  private func begin(_ devices: [Device]) throws -> LocalScan {
    let scan = try LocalScan(
      devices, store: store, configuration: configuration, clock: clock, outlet: outlet,
      source: makeSource)
    // Another thread may begin one right after the one that is on has ended.
    repeat { stopScanning() } while !takePlace(scan)
    callBack(scan.devices)
    return scan
  }

  /// Makes a scan the one that is on; false where there is one.
  private func takePlace(_ scan: LocalScan) -> Bool {
    state.withLock { state in
      guard !state.isScanning else { return false }
      state.scan = scan
      state.losses = watchLosses(of: scan, state.radioListeners)
      state.driver = nil
      state.isScanning = true
      state.listening = nil
      return true
    }
  }

  /// Counts what the radio loses, and who follows updates too slowly.
  private func watchLosses(
    of scan: LocalScan, _ radioListeners: Listeners<ListeningUpdate>
  ) -> LossWatch {
    let before = listeners.dropped
    let watch = LossWatch(clock: clock) { [listeners] in
      scan.counters.losses + [(DropReason.updates, listeners.dropped - before)]
    } tell: { [weak self] losses in
      self?.tell(losses, to: radioListeners)
    }
    if configuration.timePasses { watch.start() }
    return watch
  }

  private func open(_ scan: LocalScan) async throws -> SourceDescription {
    do {
      try await scan.start()
    } catch {
      tell(.lost(reason: error.reason), of: scan)
      throw error
    }
    tell(.listening, of: scan)
    return scan.description
  }

  /// Follows what is heard until the source ends or the scan is stopped.
  private func drive(_ scan: LocalScan) async throws {
    let states = scan.states
    let watcher = Task { [weak self] in
      for await state in states { self?.tell(ListeningUpdate(state), of: scan) }
    }
    defer { watcher.cancel() }
    do {
      while let batch = try await scan.nextBatch() {
        guard state.withLock({ $0.scan === scan && $0.isScanning }) else { return }
        scan.follow(batch)
      }
    } catch {
      await state.withLock(\.losses)?.look()
      tell(.lost(reason: error.reason), of: scan)
      await scan.save()
      throw error
    }
    await state.withLock(\.losses)?.look()
    await scan.save()
  }

  /// Ends a scan that did not come about.
  private func end(_ scan: LocalScan) {
    guard state.withLock({ $0.scan === scan }) else { return }
    stopScanning()
  }

  /// Ends the present scan; it finishes on its own.
  private func end() -> Task<Void, Never>? {
    let (ended, ending) = state.withLock { state -> (State?, Task<Void, Never>?) in
      // Who asked for updates before the scan began waits for them still.
      guard state.isScanning else { return (nil, state.ending) }
      let ended = state
      state.isScanning = false
      state.driver = nil
      state.losses = nil
      state.radioListeners = Listeners(keeping: 1024)
      // Under the lock: the next scan waits for it.
      state.ending = Task { await finish(ended) }
      return (ended, state.ending)
    }
    guard let ended else { return ending }
    ended.scan?.retire()
    listeners.finish()
    ended.driver?.cancel()
    return ending
  }

  private func finish(_ ended: State) async {
    await ended.scan?.stop()
    await ended.driver?.value
    await ended.losses?.finish()
    ended.radioListeners.finish()
    await ended.ending?.value
    // What could not be saved was still to be told; unless another scan is on, that was all.
    if !state.withLock(\.isScanning) { errorListeners.finish() }
  }

  private var outlet: LocalOutlet {
    LocalOutlet(
      updates: { [weak self] in self?.tell($0, $1) },
      devices: { [weak self] in self?.callBack($0) },
      problem: { [weak self] in self?.tell($0) },
      heard: { [weak self, rope] in
        rope.pull()
        self?.state.withLock(\.losses)?.heard()
      })
  }

  private func tell(_ updates: [LocalUpdate], _ devices: () -> [LocalDevice]) {
    guard !updates.isEmpty else { return }
    listeners.tell(contentsOf: updates)
    guard let handler = onDevicesUpdate else { return }
    let devices = devices()
    queue.async { handler(devices) }
  }

  /// Tells what a scan's radio does; a state that was told already is no news.
  private func tell(_ update: ListeningUpdate?, of scan: LocalScan) {
    guard let update else { return }
    scan.take(update)
    let handler = state.withLock { state -> ListeningHandler? in
      guard state.scan === scan, state.isScanning, state.listening != update else { return nil }
      switch update {
      case .dropped, .recovery: break
      case .listening, .recovering, .lost: state.listening = update
      }
      state.radioListeners.tell(update)
      return state.onListeningUpdate
    }
    if let handler { queue.async { handler(update) } }
  }

  private func tell(_ losses: LossWatch.Losses, to radioListeners: Listeners<ListeningUpdate>) {
    let handler = onListeningUpdate
    for (reason, count) in losses {
      let update = ListeningUpdate.dropped(reason: reason, count: count)
      radioListeners.tell(update)
      if let handler { queue.async { handler(update) } }
    }
  }

  private func callBack(_ devices: [LocalDevice]) {
    guard let handler = onDevicesUpdate else { return }
    queue.async { handler(devices) }
  }

  /// Tells what has ended a scan, unless that was stopped.
  private func tell(_ error: any Error, of scan: LocalScan) {
    if state.withLock({ $0.scan === scan && $0.isScanning }) { tell(error) }
  }

  private func tell(_ error: any Error) {
    let isHeard = !errorListeners.isEmpty
    errorListeners.tell(error)
    if let handler = onError {
      queue.async { handler(error) }
    } else if !isHeard {
      logger.log(.ERROR, "\(error)")
    }
  }
}

extension LunaLocal: NearbyTrackers {
  /// Rings a bell whenever something is heard, for as long as somebody has the bell.
  public func tell(_ bell: Bell) { rope.add(bell) }

  /// Follows a device whose onboarding has not ended, until the scan is stopped; those that the store
  /// knows are followed by themselves.
  ///
  /// - Returns: what is known of it; nil when no scan is on.
  public func follow(pending device: Device) -> LocalDevice? {
    state.withLock { $0.isScanning ? $0.scan : nil }?.follow(pending: device)
  }

  /// Follows a device that was just onboarded, until the scan is stopped.
  public func follow(onboarded device: Device) {
    let scan = state.withLock { $0.isScanning ? $0.scan : nil }
    if let devices = scan?.follow(onboarded: device) { callBack(devices) }
  }
}
