public import Bluetooth
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
  public typealias SourceMaker = @Sendable () throws -> any AdvertisementSource
  /// Gets all devices after something happened to one of them.
  public typealias DevicesHandler = @Sendable ([LocalDevice]) -> Void
  /// Gets what went wrong; the scan goes on after a ``LocalProblem``.
  public typealias ErrorHandler = @Sendable (any Error) -> Void
  /// Gets what the radio does, and what was lost.
  public typealias ListeningHandler = @Sendable (ListeningUpdate) -> Void

  private struct State {
    var following: FollowerSession?
    var source: (any AdvertisementSource)?
    var session: Task<Void, Never>?
    var number = 0
    /// The devices of the store that need not be looked at any more; nil until it was read.
    var stored: Set<DeviceUUID>?
    var onDevicesUpdate: DevicesHandler?
    var onError: ErrorHandler?
    var onListeningUpdate: ListeningHandler?
    /// What was told of the radio last.
    var listening: ListeningUpdate?
    var losses = SourceLosses()

    var follower: TrackerFollower? { following?.follower }
  }

  /// How it listens.
  public let configuration: LocalConfiguration
  private let store: any DeviceStore
  private let clock: WallClock
  private let logger: any Logger
  private let makeSource: SourceMaker
  private let state = Mutex(State())
  private let listeners = Listeners<LocalUpdate>(keeping: 1024)
  private let radioListeners = Listeners<ListeningUpdate>(keeping: 1024)
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

  // MARK: What is there

  /// The tracked devices, heard or not, then the foreign ones that are present.
  public var devices: [LocalDevice] { state.withLock { $0.follower?.devices ?? [] } }

  /// Called with all devices when something has happened, on a queue of its own, never twice at once.
  public var onDevicesUpdate: DevicesHandler? {
    get { state.withLock { $0.onDevicesUpdate } }
    set { state.withLock { $0.onDevicesUpdate = newValue } }
  }

  /// Called with what goes wrong, on the same queue; without it errors are logged.
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

  /// What the radio does, and what was lost, from now on, until the scan is stopped. Who follows
  /// ``updates`` too slowly loses the oldest: these are counted here as `slowListener`.
  public var listeningUpdates: AsyncStream<ListeningUpdate> { radioListeners.makeStream() }

  /// What happens to devices from now on, until the scan is stopped. Who is slow gets the last 1,024.
  public var updates: AsyncStream<LocalUpdate> { listeners.makeStream() }

  // MARK: Scanning

  /// Begins to listen. The tracked devices are in ``devices`` when this returns, empty; a scan that
  /// is on is stopped first.
  public func startScanning(_ trackedDevices: [Device] = []) {
    stopScanning()
    do {
      let devices = try state.withLock { state in
        let following = try FollowerSession(
          trackedDevices, configuration: configuration, clock: clock)
        let devices = following.follower.devices
        state.following = following
        state.number += 1
        state.stored = nil
        state.listening = nil
        state.losses = SourceLosses()
        let number = state.number
        state.session = Task { [weak self] in await self?.run(number) }
        return devices
      }
      callBack(devices)
    } catch {
      tell(error)
    }
  }

  /// Stops listening; ``devices`` stay as they are. What was learned is saved soon after;
  /// ``stop()`` waits for it.
  public func stopScanning() { _ = end() }

  /// Stops listening, saves what was learned, and returns when the radio has been let go.
  public func stop() async { await end()?.value }

  /// Stops listening and forgets what was heard; the store keeps what it has.
  public func reset() {
    stopScanning()
    state.withLock { $0.following = nil }
    callBack([])
  }

  /// Ends the present session; it finishes on its own.
  private func end() -> Task<Void, Never>? {
    let ended = state.withLock { state in
      // Who asked for updates before the scan began waits for them still.
      guard let session = state.session else { return nil as Ended? }
      defer {
        state.session = nil
        state.source = nil
        state.number += 1
      }
      listeners.finish()
      radioListeners.finish()
      return Ended(session: session, source: state.source, news: state.follower?.takeNews())
    }
    guard let ended else { return nil }
    ended.session.cancel()
    return Task { [self] in
      await ended.source?.stop()
      await ended.session.value
      await save(ended.news)
    }
  }

  /// What is left of a session.
  private struct Ended {
    let session: Task<Void, Never>
    let source: (any AdvertisementSource)?
    let news: FollowerNews?
  }

  private func run(_ number: Int) async {
    do {
      try await load(number)
      let source = try makeSource()
      guard use(source, number) else { return }
      do {
        try await source.start()
      } catch {
        tell(.lost(reason: error.reason), number)
        throw error
      }
      tell(.listening, number)
      let watcher = Task { [weak self] in
        for await state in source.states { self?.tell(ListeningUpdate(state), number) }
      }
      defer { watcher.cancel() }
      let ticker = Task { [weak self] in
        var seconds = 0
        while !Task.isCancelled, let self {
          guard (try? await clock.sleep(.seconds(1))) != nil else { return }
          seconds += 1
          handle(number) { $0.following?.tick(into: &$1) }
          await followNewDevices(number)
          tellLosses(number)
          if seconds % FollowerSession.saveInterval == 0 { await save(takeNews(number)) }
        }
      }
      defer { ticker.cancel() }
      do {
        while let batch = try await source.nextBatch() {
          handle(number) { $0.following?.receive(batch, into: &$1) }
        }
      } catch {
        tellLosses(number)
        tell(.lost(reason: error.reason), number)
        await save(takeNews(number))
        throw error
      }
      tellLosses(number)
      await save(takeNews(number))
    } catch {
      tell(error)
    }
  }

  /// Tells of the radio; a state that was told already is no news.
  private func tell(_ update: ListeningUpdate?, _ number: Int) {
    guard let update else { return }
    let handler = state.withLock { state -> ListeningHandler? in
      guard state.number == number, state.listening != update else { return nil }
      if case .dropped = update {} else { state.listening = update }
      radioListeners.tell(update)
      return state.onListeningUpdate
    }
    if let handler { queue.async { handler(update) } }
  }

  private func tellLosses(_ number: Int) {
    let losses = state.withLock { state -> [(reason: String, count: UInt64)] in
      guard state.number == number, let source = state.source else { return [] }
      return state.losses.take(source.counters)
    }
    let slow = listeners.takeDropped()
    for (reason, count) in losses + (slow > 0 ? [("slowListener", slow)] : []) {
      tell(.dropped(reason: reason, count: count), number)
    }
  }

  /// Remembers the source of the present session; false when it has ended.
  private func use(_ source: any AdvertisementSource, _ number: Int) -> Bool {
    state.withLock { state in
      guard state.number == number else { return false }
      state.source = source
      return true
    }
  }

  /// Somebody else, even another process, may have onboarded a tracker since the scan began.
  private func followNewDevices(_ number: Int) async {
    // What is wrong with the store is told when something is saved.
    guard let all = try? await store.allDevices() else { return }
    let new: [Device] = state.withLock { state in
      guard state.number == number, let known = state.stored else { return [] }
      let new = all.filter { $0.masterKey != nil && !known.contains($0.uuid) }
      state.stored?.formUnion(new.map(\.uuid))
      return new
    }
    for device in new { follow(onboarded: device) }
  }

  private func load(_ number: Int) async throws {
    let stored = Set(try await store.allDevices().map(\.uuid))
    state.withLock { if $0.number == number { $0.stored = stored } }
    let memory = try await FollowerMemory(of: store)
    let wanted = state.withLock { state in
      guard state.number == number else { return [DerivationKey]() }
      state.follower?.recall(memory)
      return state.follower?.wantedDerivations(at: clock.now()) ?? []
    }
    for key in wanted {
      guard let bytes = try await store.derivations(for: key) else { continue }
      state.withLock { $0.follower?.addDerivations(bytes, for: key) }
    }
  }

  /// Lets the follower work and tells what came of it.
  private func handle(
    _ number: Int, _ body: (inout State, inout [LocalUpdate]) -> Void
  ) {
    let (hasNews, problems, devices) = state.withLock { state in
      guard state.number == number, state.follower != nil else {
        return (false, [LocalProblem](), [LocalDevice]())
      }
      var updates: [LocalUpdate] = []
      body(&state, &updates)
      let devices =
        updates.isEmpty || state.onDevicesUpdate == nil ? [] : state.follower?.devices ?? []
      // Under the lock: what belongs to this scan does not reach who listens to the next one.
      listeners.tell(contentsOf: updates)
      return (!updates.isEmpty, state.follower?.takeProblems() ?? [], devices)
    }
    for problem in problems { tell(problem) }
    if hasNews { callBack(devices) }
  }

  // MARK: Store and callbacks

  private func takeNews(_ number: Int) -> FollowerNews? {
    state.withLock { $0.number == number ? $0.follower?.takeNews() : nil }
  }

  private func save(_ news: FollowerNews?) async {
    guard let news else { return }
    do throws(DeviceStoreError) {
      try await news.save(to: store)
      try await store.flush()
    } catch {
      tell(LocalProblem.store(error))
    }
  }

  private func callBack(_ devices: [LocalDevice]) {
    guard let handler = onDevicesUpdate else { return }
    queue.async { handler(devices) }
  }

  private func tell(_ error: any Error) {
    guard let handler = onError else { return logger.log(.ERROR, "\(error)") }
    queue.async { handler(error) }
  }
}

extension LunaLocal: NearbyTrackers {
  /// Follows a device whose onboarding has not ended, until the scan is stopped; those that the store
  /// knows are followed by themselves.
  ///
  /// - Returns: what is known of it; nil when no scan is on.
  public func follow(pending device: Device) -> LocalDevice? {
    state.withLock { state in
      state.session == nil
        ? nil : state.follower?.follow(pending: device, isBeingOnboarded: true)
    }
  }

  /// Follows a device that was just onboarded, until the scan is stopped.
  public func follow(onboarded device: Device) {
    let devices: [LocalDevice]? = state.withLock { state in
      guard state.session != nil, let follower = state.follower,
        follower.follow(onboarded: device)
      else { return nil }
      return follower.devices
    }
    if let devices { callBack(devices) }
  }
}
