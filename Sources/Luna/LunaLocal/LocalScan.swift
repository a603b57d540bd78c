public import Bluetooth
public import LunaCore
import LunaProtocol
import Synchronization

/// One scan of ``LunaLocal``, for who drives it: takes batch after batch and has each report followed.
///
/// ```swift
/// let scan = try await local.scan(devices)
/// try await scan.start()
/// while let batch = try await scan.nextBatch() {
///   for update in scan.follow(batch) { print(update.event, update.device.identifier) }
/// }
/// await scan.stop()
/// ```
///
/// It goes at the pace of its user, which matters with a recording. Who only wants to know what happens
/// has ``LunaLocal/startScanning(_:)``, which drives one. May be used from any thread.
public final class LocalScan: AdvertisementSource {
  private struct State {
    var following: FollowerSession
    /// What is listened to.
    var source: (any AdvertisementSource)?
    /// Looks at the time, and at the store when that has news.
    var helpers: [Task<Void, Never>] = []
    var isStopped = false
    /// Whether its updates are for who listens to ``LunaLocal``.
    var isCurrent = true
    /// The devices of the store that need not be looked at any more; nil until it was read.
    var stored: Set<DeviceUUID>?
    /// By what the store says whether its devices have changed since they were read; nil when that is not known.
    var digest: Int?
    /// Whether something was heard since time was looked at last.
    var isBusy = false
    /// Whether something may have been learned that is not saved.
    var isUnsaved = false
    /// Why the last saving was refused, until one works again.
    var refusal: DeviceStoreError?
    /// The last saving; each waits for the one before.
    var saving: Task<Void, Never>?

    var follower: TrackerFollower { following.follower }
  }

  /// How often time is looked at while something is heard.
  static let tick: Duration = .seconds(1)
  /// How often it is while nothing is, and nothing is due before.
  static let idleTick: Duration = .seconds(30)

  private let store: any DeviceStore
  private let configuration: LocalConfiguration
  private let clock: WallClock
  private let makeSource: LunaLocal.SourceMaker
  private let outlet: LocalOutlet
  private let state: Mutex<State>
  private let awakening = Bell()
  /// Rings when devices were added to the store, or something else was changed there.
  private let storeBell = Bell()

  /// Devices that have been silent for too long, as time passes without a report; ends with the scan.
  public let timeouts: AsyncStream<LocalUpdate>
  private let timeoutsContinuation: AsyncStream<LocalUpdate>.Continuation

  init(
    _ devices: [Device], store: any DeviceStore, configuration: LocalConfiguration,
    clock: WallClock, outlet: LocalOutlet, source makeSource: @escaping LunaLocal.SourceMaker
  ) throws {
    self.store = store
    self.configuration = configuration
    self.clock = clock
    self.outlet = outlet
    self.makeSource = makeSource
    state = Mutex(
      State(following: try FollowerSession(devices, configuration: configuration, clock: clock)))
    (timeouts, timeoutsContinuation) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingNewest(1024))
  }

  /// The tracked devices, heard or not, then the foreign ones that are present.
  public var devices: [LocalDevice] { state.withLock { $0.follower.devices } }

  /// What was heard, by what it was.
  public var tally: LocalCounters { state.withLock { $0.follower.counters } }

  /// What is listened to; nil before ``start()``.
  public var source: (any AdvertisementSource)? { state.withLock { $0.source } }

  /// What is listened to.
  public var description: SourceDescription {
    source?.description ?? SourceDescription(name: "none", simulated: false, explanation: "")
  }

  /// What the source is doing.
  public var states: AsyncStream<SourceState> { source?.states ?? AsyncStream { $0.finish() } }

  /// What the source has seen and lost.
  public var counters: SourceCounters { source?.counters ?? SourceCounters() }

  /// Goes on where an earlier scan has ended, as far as the store knows.
  func load() async throws {
    if configuration.followsNewDevices {
      try await store.tell(storeBell)
      let stored = Set(try await store.allDevices().map(\.uuid))
      state.withLock { $0.stored = stored }
    }
    let memory = try await FollowerMemory(of: store)
    let wanted = state.withLock { state in
      state.follower.recall(memory)
      return state.follower.wantedDerivations(at: clock.now())
    }
    for key in wanted {
      guard let bytes = try await store.derivations(for: key) else { continue }
      state.withLock { $0.follower.addDerivations(bytes, for: key) }
    }
  }

  /// Begins to listen.
  ///
  /// - Throws: `SourceError` naming what is in the way.
  public func start() async throws(SourceError) {
    let source = try makeSource()
    let isStopped = state.withLock { state in
      if !state.isStopped { state.source = source }
      return state.isStopped
    }
    guard !isStopped else { return }
    try await source.start()
    let isOver = state.withLock { state in
      guard !state.isStopped else { return true }
      if configuration.timePasses { state.helpers.append(mindTime()) }
      if configuration.followsNewDevices { state.helpers.append(mindStore()) }
      return false
    }
    // Who has stopped the scan meanwhile has stopped a source that had not begun.
    if isOver { await source.stop() }
  }

  private func mindTime() -> Task<Void, Never> {
    Task { [weak self, clock, awakening] in
      var saved = clock.elapsed()
      while !Task.isCancelled, let pause = self?.pause {
        await awakening.wait(for: pause, by: clock)
        guard !Task.isCancelled, let self else { return }
        passTime()
        guard clock.elapsed() - saved >= .seconds(FollowerSession.saveInterval) else { continue }
        saved = clock.elapsed()
        self.state.withLock { $0.isUnsaved = false }
        await save()
      }
    }
  }

  private func mindStore() -> Task<Void, Never> {
    Task { [weak self, storeBell] in
      while !Task.isCancelled {
        await storeBell.wait(for: .seconds(3600))
        guard !Task.isCancelled else { return }
        await self?.followStore()
      }
    }
  }

  /// The next reports, which are to be followed; nil when the source has ended or the scan was stopped.
  public func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    guard let source else { return nil }
    return try await source.nextBatch()
  }

  /// Listens in this rhythm.
  public func listen(_ rhythm: ScanRhythm) async { await source?.listen(rhythm) }

  /// Finds out whose reports these are.
  ///
  /// - Returns: what happened to devices, in order.
  @discardableResult
  public func follow(_ reports: [AdvertisingReport]) -> [LocalUpdate] {
    let (updates, wasIdle) = handle { state, updates in
      state.following.receive(reports, into: &updates)
      state.isUnsaved = true
      defer { state.isBusy = true }
      return !state.isBusy
    }
    // Time is looked at more often while something is heard.
    if wasIdle { awakening.ring() }
    outlet.heard()
    return updates
  }

  /// Takes what the radio does, where its user follows the states: while it does not work nobody times out, nor until
  /// it has worked for as long as a time-out.
  public func take(_ update: ListeningUpdate) { state.withLock { $0.following.take(update) } }

  private func passTime() {
    let (updates, _) = handle { state, updates in
      // Somebody may time out now, or something be derived.
      if state.following.isWaiting { state.isUnsaved = true }
      state.isBusy = false
      state.following.tick(into: &updates)
    }
    for update in updates { timeoutsContinuation.yield(update) }
  }

  /// Until when nothing has to be done.
  private var pause: Duration {
    state.withLock { state in
      guard !state.isBusy, !state.following.isWaiting else { return LocalScan.tick }
      return state.isUnsaved ? .seconds(FollowerSession.saveInterval) : LocalScan.idleTick
    }
  }

  /// Lets the follower work and tells what came of it.
  private func handle<Result: Sendable>(
    _ body: @Sendable (inout State, inout [LocalUpdate]) -> Result
  ) -> ([LocalUpdate], Result) {
    let (updates, result, problems) = state.withLock { state in
      var updates: [LocalUpdate] = []
      let result = body(&state, &updates)
      let follower = state.follower
      // Under the lock: what belongs to this scan does not reach who listens to the next one.
      if state.isCurrent { outlet.updates(updates) { follower.devices } }
      return (updates, result, follower.takeProblems())
    }
    for problem in problems { outlet.problem(problem) }
    return (updates, result)
  }

  /// Follows a device whose onboarding has not ended.
  func follow(pending device: Device) -> LocalDevice {
    state.withLock { $0.follower.follow(pending: device, isBeingOnboarded: true) }
  }

  /// Follows a device that was just onboarded.
  ///
  /// - Returns: all devices; nil when it was followed before.
  func follow(onboarded device: Device) -> [LocalDevice]? {
    state.withLock { state in
      state.follower.follow(onboarded: device) ? state.follower.devices : nil
    }
  }

  /// Somebody else, even another process, may have onboarded, renamed or forgotten a tracker since the scan began, or
  /// shared its status, been given it for longer, or asked it for its clock.
  private func followStore() async {
    guard state.withLock({ $0.stored != nil }) else { return }
    // Before they are read: what is written between the two is seen the next time. Sightings and clocks, which change
    // nothing here, are written far more often than devices.
    let digest = try? await (store as? any DeviceDigests)?.deviceDigest()
    if digest == nil || digest != state.withLock(\.digest) {
      guard await followDevices() else { return }
      state.withLock { $0.digest = digest }
    }
    // The time of a recording is not that of what others know.
    if !configuration.isRecording { await save(takingUp: true) }
  }

  /// - Returns: whether the devices could be read. What is wrong with the store is told when something is saved.
  private func followDevices() async -> Bool {
    guard let all = try? await store.allDevices(), let shared = try? await store.sharedStatus()
    else { return false }
    let (new, hasLost): ([Device], Bool) = state.withLock { state in
      guard let known = state.stored else { return ([], false) }
      let names = Dictionary(all.map { ($0.uuid, $0.name) }) { $1 }
      let gone = known.subtracting(names.keys)
      let outdated = state.follower.outdated(all)
      state.follower.forget(gone.union(outdated))
      state.follower.rename(names)
      state.follower.mark(sharedStatus: shared)
      state.stored?.subtract(gone)
      let new = all.filter {
        ($0.masterKey != nil || $0.shared != nil)
          && (!known.contains($0.uuid) || outdated.contains($0.uuid))
      }
      state.stored?.formUnion(new.map(\.uuid))
      return (new, !gone.isEmpty)
    }
    if hasLost, state.withLock(\.isCurrent) { outlet.devices(devices) }
    for device in new {
      if let devices = follow(onboarded: device), state.withLock(\.isCurrent) {
        outlet.devices(devices)
      }
    }
    return true
  }

  /// Keeps what was learned; returns when that is kept, and what somebody else has begun to keep: who
  /// saves last may be the one after whom the process ends.
  ///
  /// - Parameter takingUp: whether others may have kept something, also where nothing was learned here.
  func save(takingUp: Bool = false) async {
    let saving = state.withLock { state in
      let before = state.saving
      let saving = Task { [self] in
        await before?.value
        await keep(takingUp)
      }
      state.saving = saving
      return saving
    }
    await saving.value
  }

  private func keep(_ isAsked: Bool) async {
    var news = state.withLock { $0.follower.takeNews() }
    guard news != nil || isAsked else { return }
    do throws(DeviceStoreError) {
      if isAsked || news?.clocks.isEmpty == false {
        // What somebody else has kept since may say more than what was heard.
        let clocks = try await store.clockStates()
        let taken = state.withLock { $0.follower.takeUp(clocks) }
        for uuid in taken { news?.clocks[uuid] = nil }
      }
      guard let kept = news else { return }
      try await kept.save(to: store)
      state.withLock { $0.follower.note(kept: kept.clocks) }
      try await store.flush()
      state.withLock { $0.refusal = nil }
    } catch {
      let isNew = state.withLock { state in
        defer { state.refusal = error }
        return state.refusal != error
      }
      // It is tried again every few seconds.
      if isNew { outlet.problem(LocalProblem.store(error)) }
    }
  }

  /// From now on nobody is told of it but who drives it.
  func retire() { state.withLock { $0.isCurrent = false } }

  /// Lets go of the radio, and keeps what was learned. Can be called more than once.
  public func stop() async {
    let (source, helpers) = state.withLock { state in
      state.isStopped = true
      return (state.source, state.helpers)
    }
    for helper in helpers { helper.cancel() }
    await source?.stop()
    for helper in helpers { await helper.value }
    timeoutsContinuation.finish()
    await save()
  }
}
