import Beacons
import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol
import Synchronization

/// One run of a finder: brings to the machine what happens, and does what it says.
actor FinderSession {
  typealias Handler = @Sendable (FinderUpdate) -> Void

  let configuration: LunaConfiguration
  let parts: FinderParts
  private let handler: Handler
  let queue: any EventQueue
  let uploader: (any EventUploader)?
  private let location: any LocationSource
  private var machine: FinderMachine
  private var sealer: EventSealer
  private var generator = SystemRandomNumberGenerator()
  let startedAt: Duration
  /// How the gateway is.
  var health: HealthWatch
  /// Who stays nearby; nil where nobody is to know.
  var census: DeviceCensus?
  /// Whether it has listened in this run.
  var hasListened = false
  /// The clocks of a recording, from its first report on, and which of its times can be believed.
  var recorded: RecordedClock?
  var recordedTimes = RecordedTimes()

  /// How long is waited for the location source, and for a radio to deliver a command with.
  static let patience: Duration = .seconds(5)
  /// How often time is looked at: while something goes on, and while nothing does.
  private static let tick: Duration = .seconds(1)
  private static let idleTick: Duration = .seconds(20)
  /// Ended with the first answer of the location source.
  private var firstLocation: AsyncStream<Void>.Continuation?
  /// Whether it is to end, perhaps before it has begun.
  private var isEnding = false

  var listening: Task<Void, Never>?
  /// The radio that is on.
  var radio: FinderRadio? {
    didSet { radioBell.ring() }
  }
  /// Rings when a radio is on.
  let radioBell = Bell()
  private var helpers: [Task<Void, Never>] = []
  /// Rings when something begins to go on.
  private let activity = Bell()
  var command: Task<Void, Never>?
  /// The tracker to which a package is being delivered, for who delivers it.
  var target: LocalDevice?
  /// Confirmations that the queue could not take.
  var unkept: [CommandConfirmation] = []
  var storageIsBroken = false
  /// Whether what became of events could not be written the last time, which was told then.
  var settlesInVain = false
  private var credentialWatch = CredentialWatch()
  /// How it stands with the radio, and what was told of that.
  var state: FinderState? {
    didSet {
      guard let state, state != oldValue else { return }
      tell(.state(state))
      // Who keeps the last state must not believe that the flood is over.
      if let flood, case .listening = state { tell(.state(flood)) }
    }
  }
  /// The flood of new identifiers that goes on, as it was told last.
  var flood: FinderState?
  /// What of the present source was counted as the gateway's health.
  var counted = SourceCounters()
  /// What was heard and lost, for those who ask at any time.
  nonisolated let tally = Mutex(SourceTally())
  /// How many reports were heard.
  var heard = 0
  /// When something was heard, or the radio told how it is.
  var lastSign: Duration
  var failure: (any Error)?
  private var ending: CheckedContinuation<Void, Never>?
  private var isFinished = false
  /// Whether there is nothing more to tell: an upload that outlives the run is no news of the next one.
  private var isOver = false

  init(
    _ configuration: LunaConfiguration, _ parts: FinderParts, _ tell: @escaping Handler
  ) async throws {
    try configuration.check()
    self.configuration = configuration
    self.parts = parts
    handler = tell
    queue = try await parts.openQueue(configuration)
    uploader = try parts.makeUploader(configuration)
    location = try parts.makeLocation(configuration.finderDesiredAccuracy)
    sealer = try EventSealer(debugging: configuration.sendsDebugFields ? parts.facts : nil)
    machine = FinderMachine(
      configuration, uploads: uploader != nil, isSimulated: parts.isSimulated, time: parts.time)
    startedAt = parts.clock.elapsed()
    lastSign = startedAt
    let decoder = BeaconDecoder(
      regions: configuration.regions, companies: configuration.companies)
    health = HealthWatch(decoder: decoder, at: startedAt)
    if parts.telemetry != nil, configuration.devices == .refs {
      census = DeviceCensus(decoder: decoder)
    }
    if configuration.sendsDebugFields {
      configuration.logger.log(
        .ERROR, "debug fields are on: events show positions and identifiers to the backend")
    }
  }

  /// How long ago something was heard, or the radio told how it is.
  var silence: Duration { parts.clock.elapsed() - lastSign }

  /// What was heard and lost in this run.
  nonisolated var counters: SourceCounters { tally.withLock(\.counters) }

  /// How long the run has been going on.
  var uptime: Int64 { (parts.clock.elapsed() - startedAt).components.seconds }

  func tell(_ update: FinderUpdate) {
    guard !isOver else { return }
    health.take(update, at: parts.clock.elapsed())
    recordUse(update)
    handler(update)
  }

  /// Goes on when there is another credential than the one that was refused. To get one may take as long as an
  /// issuer does, and nobody waits for that.
  private func lookForCredential() {
    guard let uploader, machine.transfer.isRefused,
      credentialWatch.isDue(at: parts.clock.elapsed())
    else { return }
    Task {
      if await uploader.hasAnotherCredential() { await self.dispatch(.credentialChanged) }
    }
  }

  /// Works until ``end()``, or until nothing works any more.
  ///
  /// - Returns: why it ended of itself; nil when it was told to, or a recording has ended.
  func run() async -> (any Error)? {
    parts.telemetry?.record(.appear("finder"))
    defer { parts.telemetry?.record(.disappear("finder")) }
    if let watching = watchHealth() { helpers.append(watching) }
    if let watching = watchDevices() { helpers.append(watching) }
    await locate()
    await restore()
    helpers.append(
      Task { [weak self, activity, clock = parts.clock] in
        while !Task.isCancelled, let pause = await self?.pause {
          await activity.wait(for: pause, by: clock)
          guard !Task.isCancelled, let self else { return }
          await dispatch(.timePassed)
          await lookForCredential()
          await tend()
        }
      })
    await withCheckedContinuation { continuation in
      if isFinished { continuation.resume() } else { ending = continuation }
    }
    for helper in helpers { helper.cancel() }
    await stopListening()
    if parts.isRecording { await reportDevices() }
    // Who starts it again in vain sees there why.
    if isLost { await reportHealth() }
    await location.stop()
    await settleCounts()
    await queue.close()
    tell(.ended(heard: heard, after: parts.clock.elapsed() - startedAt))
    isOver = true
    return failure
  }

  /// Ends a run that never began.
  func discard() async { await queue.close() }

  /// Begins to ask for the position, and waits for the first answer, whatever it is: what is heard
  /// before would be lost. Not for long, unless it is a recording that waits.
  private func locate() async {
    let updates = location.updates
    let (wait, first) = AsyncStream.makeStream(of: Void.self)
    firstLocation = first
    if isEnding { first.finish() }
    await location.start()
    helpers.append(
      Task { [weak self] in
        for await update in updates {
          await self?.dispatch(.location(update))
          first.finish()
        }
        first.finish()
      })
    let timer = Task { [clock = parts.clock, isRecording = parts.isRecording] in
      guard !isRecording, (try? await clock.sleep(FinderSession.patience)) != nil else { return }
      first.finish()
    }
    for await _ in wait {}
    timer.cancel()
  }

  private func restore() async {
    do throws(DeviceStoreError) {
      let hasConfirmations = try await queue.nextConfirmation() != nil
      await dispatch(
        .restored(waiting: await queue.waiting, hasConfirmations: hasConfirmations))
    } catch {
      await fail(error)
    }
  }

  /// Lets go of the radio, brings away what waits, and ends.
  func end() async {
    isEnding = true
    firstLocation?.finish()
    await stopListening()
    command?.cancel()
    await dispatch(.stop)
  }

  func fail(_ error: any Error) async {
    if failure == nil { failure = error }
    // Not from within the task that listens: it would wait for itself.
    Task { await self.end() }
  }

  private func finish() {
    isFinished = true
    ending?.resume()
    ending = nil
  }

  var moment: FinderMoment {
    if let recorded { return recorded.moment }
    // Time goes on, so that what is before the first report of a recording is no later than it.
    return FinderMoment(
      elapsed: parts.isRecording ? .zero : parts.clock.elapsed(), now: parts.clock.now())
  }

  /// How long until time is looked at again.
  private var pause: Duration { machine.isIdle ? FinderSession.idleTick : FinderSession.tick }

  /// Lets the machine take something.
  func handle(_ event: FinderEvent) -> [FinderAction] {
    let wasIdle = machine.isIdle
    defer { if wasIdle, !machine.isIdle { activity.ring() } }
    return machine.handle(event, at: moment, using: &generator)
  }

  func dispatch(_ event: FinderEvent) async {
    await perform(handle(event))
  }

  func perform(_ actions: [FinderAction]) async {
    var events: [TrackerEvent] = []
    var sightings: [FinderSighting] = []
    for action in actions {
      switch action {
      case .seal(let sighting):
        do throws(CryptoError) {
          let event = try sealer.seal(sighting)
          events.append(event)
          sightings.append(sighting)
        } catch {
          await lose(DropReason.sealing, 1)
          tell(.problem(error))
        }
      case .drop(let reason, let count): await lose(reason, count)
      case .listen(let duty): listen(duty)
      case .upload(let limit, let without, let alone):
        Task {
          await self.upload(limit, without: without, alone: alone)
          await self.recount()
        }
      case .confirm: Task { await self.confirm() }
      case .setAside(let id, let code): Task { await self.setAside(id, code) }
      case .crowd(let status): await tellCrowd(status)
      case .run(let requestID, let package, let heard): deliver(requestID, package, heard)
      case .heard(let heard): target?.update { $0.take(heard, at: protocolTime) }
      case .keep(let confirmation): Task { await self.keep(confirmation) }
      case .entered(let region): tell(.entered(region))
      case .exited(let region): tell(.exited(region))
      case .located(let fix): tell(.located(fix))
      case .unlocated(let reason): tell(.unlocated(reason))
      case .retry(let error, let pause): tell(.uploadFailed(error, retryIn: pause))
      case .problem(let error): tell(.problem(error))
      case .finished: finish()
      }
    }
    if !events.isEmpty { await store(events, of: sightings) }
  }

  func lose(_ reason: String, _ count: Int) async {
    await queue.count(dropped: reason, by: count, at: moment.now)
    tell(.dropped(reason: reason, count: count))
  }

  /// Tells of a flood, also to who asks for the status; afterwards how it stands with the radio.
  private func tellCrowd(_ status: CrowdStatus?) async {
    flood = status.map { .underAttack(newPerMinute: $0.newPerMinute) }
    if let told = flood ?? state { tell(.state(told)) }
    await queue.note(status)
  }
}
