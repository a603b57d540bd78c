import Beacons
import Bluetooth
import Diagnosis
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
  private var recorded: RecordedClock?
  private var recordedTimes = RecordedTimes()

  /// How long is waited for the location source, and for a radio to deliver a command with.
  static let patience: Duration = .seconds(5)
  /// How often time is looked at: while something goes on, and while nothing does.
  private static let tick: Duration = .seconds(1)
  private static let idleTick: Duration = .seconds(20)
  /// Ended with the first answer of the location source.
  private var firstLocation: AsyncStream<Void>.Continuation?
  /// Whether it is to end, perhaps before it has begun.
  private var isEnding = false

  private var listening: Task<Void, Never>?
  /// The radio that is on.
  private var radio: FinderRadio? {
    didSet { radioBell.ring() }
  }
  /// Rings when a radio is on.
  private let radioBell = Bell()
  private var helpers: [Task<Void, Never>] = []
  /// Rings when something begins to go on.
  private let activity = Bell()
  private var command: Task<Void, Never>?
  /// The tracker to which a package is being delivered, for who delivers it.
  private var target: LocalDevice?
  /// Confirmations that the queue could not take.
  var unkept: [CommandConfirmation] = []
  private var storageIsBroken = false
  /// Whether what became of events could not be written the last time, which was told then.
  var settlesInVain = false
  private var credentialWatch = CredentialWatch()
  /// How it stands with the radio, and what was told of that.
  private var state: FinderState? {
    didSet {
      guard let state, state != oldValue else { return }
      tell(.state(state))
      // Who keeps the last state must not believe that the flood is over.
      if let flood, case .listening = state { tell(.state(flood)) }
    }
  }
  /// The flood of new identifiers that goes on, as it was told last.
  private var flood: FinderState?
  /// What of the present source was counted as the gateway's health.
  private var counted = SourceCounters()
  /// What was heard and lost, for those who ask at any time.
  private nonisolated let tally = Mutex(SourceTally())
  /// How many reports were heard.
  private var heard = 0
  /// When something was heard, or the radio told how it is.
  private var lastSign: Duration
  private var failure: (any Error)?
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

  /// The name of the source that is on.
  var sourceName: String? { radio?.source.description.name }

  /// Lets the queue look after itself, and tells what has happened to it.
  private func tend() async {
    for notice in await queue.tend(at: moment.now) {
      switch notice {
      case .full(let count): tell(.dropped(reason: DropReason.queueFull, count: count))
      case .renewed(let reason, let lost, let setAside):
        tell(.queueRenewed(reason: reason, lost: lost, setAside: setAside))
        if let lost, lost > 0 { tell(.dropped(reason: DropReason.storage, count: lost)) }
      case .homeless(let error):
        tell(
          .problem(
            FinderError(
              .storage, "the queue's file is gone, and there is no new one yet: \(error.reason)",
              remedy: error.remedy)))
      }
    }
  }

  /// Has the queue write what it has only counted so far. What it cannot, ends with this process.
  private func settleCounts() async {
    if flood != nil { await queue.note(nil) }
    await tend()
    guard let status = try? await queue.status(at: moment.now) else { return }
    if status.homeless > 0 {
      tell(.dropped(reason: DropReason.storage, count: status.homeless))
      let lost = FinderError(
        .storage,
        "\(status.homeless) events are lost: the queue's file is gone, and there is no new one",
        remedy: "this message is all that tells of them")
      if failure == nil { failure = lost } else { tell(.problem(lost)) }
    }
    guard !status.unwritten.isEmpty else { return }
    let counts = status.unwritten.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    tell(
      .problem(
        FinderError(
          .storage, "losses could not be noted on the disk (\(counts.joined(separator: ", ")))",
          remedy: "this message is all that tells of them")))
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

  private func fail(_ error: any Error) async {
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
  private func handle(_ event: FinderEvent) -> [FinderAction] {
    let wasIdle = machine.isIdle
    defer { if wasIdle, !machine.isIdle { activity.ring() } }
    return machine.handle(event, at: moment, using: &generator)
  }

  private func listen(_ duty: ScanDuty) {
    let before = listening
    let last = radio
    radio = nil
    // Now: one whose turn has just come would turn a radio on that nobody knows of who waits for its end.
    before?.cancel()
    listening = Task { [weak self] in
      await last?.close()
      await last?.source.stop()
      await before?.value
      await self?.keepListening(duty)
    }
  }

  private func stopListening() async {
    listening?.cancel()
    await radio?.close()
    await radio?.source.stop()
    await listening?.value
    listening = nil
  }

  private func keepListening(_ duty: ScanDuty) async {
    let radio: FinderRadio
    do {
      radio = try parts.makeRadio(duty)
    } catch {
      if !Task.isCancelled { await fail(error) }
      return
    }
    guard !Task.isCancelled else { return }
    self.radio = radio
    counted = SourceCounters()
    health.begin()
    let source = radio.source
    tally.withLock { $0.turn(to: source) }
    let watch = watch(source)
    let losses = LossWatch(source, clock: parts.clock) { [weak self] losses in
      for (reason, count) in losses { await self?.lose(reason, Int(clamping: count)) }
    }
    losses.start()
    var failure: SourceError?
    do throws(SourceError) {
      if !parts.isRecording { await source.listen(duty.rhythm) }
      try await source.start()
      tell(.listening(source.description, duty))
      try await hear(source, losses)
    } catch {
      failure = error
      health.end(because: error)
      if !Task.isCancelled, !isLost {
        state = .lost(adapter: FinderSession.adapter(of: source), reason: "\(error)")
      }
    }
    await radio.close()
    await source.stop()
    await losses.finish()
    countHealth(of: source)
    watch.cancel()
    guard !Task.isCancelled else { return }
    // A source that ends by itself: a recording.
    if let failure { await fail(failure) } else { Task { await self.end() } }
  }

  /// Tells what becomes of the adapter.
  private func watch(_ source: any AdvertisementSource) -> Task<Void, Never> {
    Task { [weak self] in
      for await state in source.states { await self?.take(state, of: source) }
    }
  }

  private func take(_ state: SourceState, of source: any AdvertisementSource) {
    // One that was let go of has nothing to tell.
    guard !Task.isCancelled, radio?.source === source, !isLost else { return }
    lastSign = parts.clock.elapsed()
    let adapter = FinderSession.adapter(of: source)
    switch state {
    case .starting, .paused: break
    case .scanning: self.state = .listening(adapter: adapter)
    case .recovering(let reason): self.state = .recovering(adapter: adapter, reason: reason)
    case .recovery(let step): tell(.recovery(step))
    case .lost(let reason): self.state = .lost(adapter: adapter, reason: reason)
    }
  }

  /// As it is called in the lines of all that listen.
  private static func adapter(of source: any AdvertisementSource) -> String {
    source.description.adapter ?? source.description.name
  }

  private var isLost: Bool { if case .lost? = state { true } else { false } }

  /// Counts what the radio has seen and lost as the gateway's health.
  func countHealth() {
    if let radio { countHealth(of: radio.source) }
  }

  private func countHealth(of source: any AdvertisementSource) {
    let counters = source.counters
    var news = counters
    news.subtract(counted)
    health.count(news)
    counted = counters
  }

  private func hear(
    _ source: any AdvertisementSource, _ losses: LossWatch
  ) async throws(SourceError) {
    while let batch = try await source.nextBatch() {
      losses.heard()
      await receive(batch)
      if Task.isCancelled { return }
    }
    await take(recordedTimes.finish())
  }

  private func receive(_ batch: [AdvertisingReport]) async {
    heard += batch.count
    lastSign = parts.clock.elapsed()
    if parts.telemetry != nil { health.hear(batch, at: lastSign) }
    await take(parts.isRecording ? recordedTimes.take(batch) : batch)
  }

  private func take(_ reports: [AdvertisingReport]) async {
    var actions: [FinderAction] = []
    var untimed = 0
    for report in reports {
      let hasTime = !parts.isRecording || report.time != .unknown
      if parts.isRecording, hasTime {
        if recorded == nil { recorded = RecordedClock(report.time) }
        recorded?.advance(to: report.time)
      }
      if hasTime { census?.take(report, at: moment.now) }
      guard
        let event = FrameReader.event(
          report, companies: configuration.companies, regions: configuration.regions)
      else { continue }
      if hasTime { actions += handle(event) } else { untimed += 1 }
    }
    await perform(actions)
    if untimed > 0 { await lose(DropReason.untimed, untimed) }
  }

  func dispatch(_ event: FinderEvent) async {
    await perform(handle(event))
  }

  private func perform(_ actions: [FinderAction]) async {
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
        Task { await self.upload(limit, without: without, alone: alone) }
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

  private func lose(_ reason: String, _ count: Int) async {
    await queue.count(dropped: reason, by: count, at: moment.now)
    tell(.dropped(reason: reason, count: count))
  }

  private func store(_ events: [TrackerEvent], of sightings: [FinderSighting]) async {
    var heids: [FrameIdentity: HEID] = [:]
    for (event, sighting) in zip(events, sightings) { heids[sighting.identity] = event.heid }
    for isDoubtful in [false, true] {
      let some = zip(events, sightings).filter { $1.isDoubtful == isDoubtful }
      if !some.isEmpty { await store(some, isDoubtful) }
    }
    await tend()
    await dispatch(.queued(heids, waiting: await queue.waiting))
  }

  private func store(_ sealed: [(TrackerEvent, FinderSighting)], _ isDoubtful: Bool) async {
    do throws(DeviceStoreError) {
      try await queue.append(sealed.map(\.0), at: moment.now, isDoubtful: isDoubtful)
      storageIsBroken = false
      for (event, sighting) in sealed {
        tell(.found(heid: event.heid, rssi: sighting.heard.rssi, at: sighting.collectedAt))
      }
    } catch {
      tell(.dropped(reason: DropReason.storage, count: sealed.count))
      // Once is enough until it works again.
      if !storageIsBroken { tell(.problem(error)) }
      storageIsBroken = true
    }
  }

  /// Tells of a flood, also to who asks for the status; afterwards how it stands with the radio.
  private func tellCrowd(_ status: CrowdStatus?) async {
    flood = status.map { .underAttack(newPerMinute: $0.newPerMinute) }
    if let told = flood ?? state { tell(.state(told)) }
    await queue.note(status)
  }

  /// Who carries out commands counts in protocol time, as for trackers that are followed.
  private var protocolTime: Timestamp { parts.time(moment.now) }

  private func deliver(_ requestID: String, _ package: ControlPackage, _ heard: HeardFrame) {
    var state = LocalDevice.State(kind: .luna)
    state.heid = package.heid.description
    state.take(heard, at: protocolTime)
    let device = LocalDevice(state)
    target = device
    tell(.commandStarted(requestID: requestID, heid: package.heid))
    command = Task { [weak self] in
      let runner = await self?.runner()
      let outcome = await runner?.run(package, on: device)
      await self?.delivered(
        requestID, package,
        outcome ?? CommandOutcome(.notReached, detail: "this gateway's radio cannot connect"))
    }
  }

  /// Who delivers, once the radio is on.
  private func runner() async -> (any CommandRunner)? {
    let end = parts.clock.elapsed() + FinderSession.patience
    while radio == nil, parts.clock.elapsed() < end, !Task.isCancelled {
      await radioBell.wait(for: end - parts.clock.elapsed(), by: parts.clock)
    }
    return radio?.runner
  }

  private func delivered(
    _ requestID: String, _ package: ControlPackage, _ outcome: CommandOutcome
  ) async {
    target = nil
    tell(.commandEnded(requestID: requestID, heid: package.heid, outcome))
    await dispatch(.commandEnded(outcome))
  }

  private func keep(_ confirmation: CommandConfirmation) async {
    do throws(DeviceStoreError) {
      try await queue.append(confirmation, at: moment.now)
    } catch {
      tell(.problem(error))
      unkept.append(confirmation)
    }
    await dispatch(.confirmationQueued)
  }
}

extension LocalDevice.State {
  /// Takes in a frame.
  fileprivate mutating func take(_ heard: HeardFrame, at time: Timestamp) {
    address = heard.peer.address
    addressType = heard.peer.addressType
    connectable = heard.isConnectable
    eid = heard.frame.eid.description
    separated = heard.frame.isSeparated
    rssi = heard.rssi.map { Double($0) }
    firstSignalDate = firstSignalDate ?? time
    lastSeenDate = time
    timedOut = false
  }
}
