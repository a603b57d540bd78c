import Bluetooth
import LunaCore
import LunaCrypto
import LunaProtocol

/// One run of a finder: brings to the machine what happens, and does what it says.
actor FinderSession {
  typealias Handler = @Sendable (FinderUpdate) -> Void

  let configuration: LunaConfiguration
  let parts: FinderParts
  let tell: Handler
  let queue: any EventQueue
  let uploader: (any EventUploader)?
  private let location: any LocationSource
  private var machine: FinderMachine
  private var sealer: EventSealer
  private var generator = SystemRandomNumberGenerator()
  private let startedAt: Duration
  /// The time of the last report of a recording, and the first.
  private var recorded: (first: Timestamp, last: Timestamp)?

  /// How long a start waits for the location source.
  private static let patience: Duration = .seconds(5)
  /// Ended with the first answer of the location source.
  private var firstLocation: AsyncStream<Void>.Continuation?

  private var listening: Task<Void, Never>?
  /// The radio that is on.
  private var radio: FinderRadio?
  private var helpers: [Task<Void, Never>] = []
  private var command: Task<Void, Never>?
  /// The tracker to which a package is being delivered, for who delivers it.
  private var target: LocalDevice?
  /// Confirmations that the queue could not take.
  var unkept: [CommandConfirmation] = []
  private var storageIsBroken = false
  /// How it stands with the radio, and what was told of that. A sparse scan starts anew every few
  /// seconds, which is nothing to tell.
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
  /// What the present source has lost, as far as that was told.
  private var sourceLosses = SourceCounters()
  /// How many reports were heard.
  private var heard = 0
  private var failure: (any Error)?
  private var ending: CheckedContinuation<Void, Never>?
  private var isFinished = false

  init(
    _ configuration: LunaConfiguration, _ parts: FinderParts, _ tell: @escaping Handler
  ) throws {
    try configuration.check()
    self.configuration = configuration
    self.parts = parts
    self.tell = tell
    queue = try parts.openQueue(configuration)
    uploader = try parts.makeUploader(configuration)
    location = try parts.makeLocation(configuration.finderDesiredAccuracy)
    sealer = try EventSealer(debugging: configuration.sendsDebugFields ? parts.facts : nil)
    machine = FinderMachine(
      configuration, uploads: uploader != nil, isSimulated: parts.isSimulated, time: parts.time)
    startedAt = parts.clock.elapsed()
    if configuration.sendsDebugFields {
      configuration.logger.log(
        .ERROR, "debug fields are on: events show positions and identifiers to the backend")
    }
  }

  /// How long the run has been going on.
  var uptime: Int64 { (parts.clock.elapsed() - startedAt).components.seconds }

  // MARK: Looking after the queue

  /// Lets the queue look after itself, and tells what has happened to it.
  private func tend() async {
    for notice in await queue.tend(at: moment.now) {
      switch notice {
      case .full(let count): tell(.dropped(reason: DropReason.queueFull, count: count))
      case .renewed(let reason, let lost, let setAside):
        tell(.queueRenewed(reason: reason, lost: lost, setAside: setAside))
        if lost > 0 { tell(.dropped(reason: DropReason.storage, count: lost)) }
      case .homeless(let error):
        tell(
          .problem(
            FinderError(
              .storage, "the queue's file is gone, and there is no new one yet: \(error.reason)",
              hint: error.hint)))
      }
    }
  }

  /// Has the queue write what it has only counted so far. What it cannot, ends with this process.
  private func settleCounts() async {
    if flood != nil { await queue.note(nil) }
    await tend()
    guard let status = try? await queue.status(at: moment.now) else { return }
    guard !status.unwritten.isEmpty else { return }
    let counts = status.unwritten.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    tell(
      .problem(
        FinderError(
          .storage, "losses could not be noted on the disk (\(counts.joined(separator: ", ")))",
          hint: "this message is all that tells of them")))
  }

  // MARK: Beginning and end

  /// Works until ``end()``, or until nothing works any more.
  ///
  /// - Returns: why it ended of itself; nil when it was told to, or a recording has ended.
  func run() async -> (any Error)? {
    await locate()
    await restore()
    helpers.append(
      Task { [weak self, clock = parts.clock] in
        while (try? await clock.sleep(.seconds(1))) != nil, !Task.isCancelled {
          guard let self else { return }
          await dispatch(.timePassed)
          await tend()
        }
      })
    await withCheckedContinuation { continuation in
      if isFinished { continuation.resume() } else { ending = continuation }
    }
    for helper in helpers { helper.cancel() }
    await stopListening()
    await location.stop()
    await settleCounts()
    tell(.ended(heard: heard, after: parts.clock.elapsed() - startedAt))
    return failure
  }

  /// Begins to ask for the position, and waits for the first answer, whatever it is: what is heard
  /// before would be lost. Not for long, unless it is a recording that waits.
  private func locate() async {
    let updates = location.updates
    let (wait, first) = AsyncStream.makeStream(of: Void.self)
    firstLocation = first
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

  // MARK: Time

  private var moment: FinderMoment {
    if parts.isRecording, let recorded {
      return FinderMoment(
        elapsed: .microseconds(recorded.last.microseconds - recorded.first.microseconds),
        now: recorded.last)
    }
    return FinderMoment(elapsed: parts.clock.elapsed(), now: parts.clock.now())
  }

  // MARK: Listening

  private func listen(_ duty: ScanDuty) {
    let before = listening
    let last = radio
    radio = nil
    listening = Task { [weak self] in
      before?.cancel()
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
    var isFirst = true
    while !Task.isCancelled {
      let began = parts.clock.elapsed()
      do {
        let radio = try parts.makeRadio(duty)
        guard !Task.isCancelled else { return }
        self.radio = radio
        let watch = watch(radio.source)
        defer { watch.cancel() }
        try await radio.source.start()
        if isFirst { tell(.listening(radio.source.description, duty)) }
        isFirst = false
        try await hear(radio.source, duty)
        countLosses(of: radio.source)
        await radio.close()
        await radio.source.stop()
      } catch {
        if let source = radio?.source {
          countLosses(of: source)
          if !Task.isCancelled, !isLost {
            state = .lost(adapter: source.description.name, reason: "\(error)")
          }
        }
        await radio?.close()
        await radio?.source.stop()
        if !Task.isCancelled { await fail(error) }
        return
      }
      guard !Task.isCancelled else { return }
      guard duty == .sparse, !parts.isRecording else {
        // A source that ends by itself: a recording.
        Task { await self.end() }
        return
      }
      radio = nil
      let rest = ScanDuty.cycle - (parts.clock.elapsed() - began)
      if rest > .zero, (try? await parts.clock.sleep(rest)) == nil { return }
    }
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
    let adapter = source.description.name
    switch state {
    case .starting: break
    case .scanning: self.state = .listening(adapter: adapter)
    case .recovering(let reason): self.state = .recovering(adapter: adapter, reason: reason)
    case .lost(let reason): self.state = .lost(adapter: adapter, reason: reason)
    }
  }

  private var isLost: Bool { if case .lost? = state { true } else { false } }

  /// Tells what a source has lost since it was asked last.
  private func countLosses(of source: any AdvertisementSource) {
    let counters = source.counters
    for (reason, count, known) in [
      (DropReason.kernel, counters.kernelDrops, sourceLosses.kernelDrops),
      (DropReason.reports, counters.queueDrops, sourceLosses.queueDrops),
    ] where count > known {
      tell(.dropped(reason: reason, count: Int(clamping: count - known)))
    }
    sourceLosses = counters
  }

  private func hear(_ source: any AdvertisementSource, _ duty: ScanDuty) async throws(SourceError) {
    let timer = Task { [clock = parts.clock, isRecording = parts.isRecording] in
      guard duty == .sparse, !isRecording, (try? await clock.sleep(ScanDuty.listening)) != nil
      else { return }
      await source.stop()
    }
    defer { timer.cancel() }
    while let batch = try await source.nextBatch() {
      await receive(batch)
      if Task.isCancelled { return }
    }
  }

  private func receive(_ batch: [AdvertisingReport]) async {
    heard += batch.count
    var actions: [FinderAction] = []
    for report in batch {
      if parts.isRecording, report.time != .unknown {
        recorded = (recorded?.first ?? report.time, max(recorded?.last ?? report.time, report.time))
      }
      guard
        let event = FrameReader.event(
          report, companies: configuration.companies, regions: configuration.regions)
      else { continue }
      actions += machine.handle(event, at: moment, using: &generator)
    }
    await perform(actions)
  }

  // MARK: Doing what the machine says

  func dispatch(_ event: FinderEvent) async {
    await perform(machine.handle(event, at: moment, using: &generator))
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

  // MARK: Commands

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
    for _ in 0..<50 where radio == nil {
      guard (try? await parts.clock.sleep(.milliseconds(100))) != nil else { break }
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
