import Bluetooth
import EventLoop

/// Carries out what a ``ScanSupervisor`` decides, for one adapter.
actor ScanDriver: ReactorActor {
  typealias MakeSession = @Sendable (ScanOutlet) -> any ScanSession

  nonisolated let reactor: Reactor

  private let queue: ReportQueue
  private let makeSession: MakeSession
  private let tell: @Sendable (SourceState) -> Void
  private let named: @Sendable (String) -> Void
  private let beforeClosing: @Sendable () async -> Void
  private let epoch = ContinuousClock.now
  private let repair: AdapterRepair?
  private let othersDeliver: @Sendable () -> Bool
  private var supervisor: ScanSupervisor
  private var traffic: TrafficWatch
  private var lastHeard: Duration?
  private var session: (any ScanSession)?
  private var outlet: ScanOutlet?
  private var generation = 0
  private var rhythm = ScanRhythm.steady
  private var beat: ReactorTimer?
  /// The last pause or its end; each waits for the one before.
  private var turn: Task<Void, Never>?
  private var timer: ReactorTimer?
  private var summary = ScanSummary(name: "", clause: "")
  private var starting: CheckedContinuation<Result<ScanSummary, SourceError>, Never>?
  private var finished: Result<Void, SourceError>?
  private var waiting: [CheckedContinuation<Result<Void, SourceError>, Never>] = []

  /// - Parameters:
  ///   - adapter: how it is brought back.
  ///   - hasRun: whether it is to be brought back from the start on.
  ///   - named: told how the adapter is called, each time that it is opened, before anything else is told.
  ///   - othersDeliver: whether other adapters of the same source do.
  init(
    reactor: Reactor, options: ScanOptions, queue: ReportQueue, adapter: ScanPlan.Adapter,
    hasRun: Bool = false, tell: @escaping @Sendable (SourceState) -> Void,
    named: @escaping @Sendable (String) -> Void = { _ in },
    othersDeliver: @escaping @Sendable () -> Bool = { false },
    beforeClosing: @escaping @Sendable () async -> Void = {}
  ) {
    self.reactor = reactor
    self.queue = queue
    self.tell = tell
    self.named = named
    self.beforeClosing = beforeClosing
    self.othersDeliver = othersDeliver
    makeSession = adapter.makeSession
    repair = adapter.repair
    traffic = TrafficWatch(minimum: options.silenceLimit)
    supervisor = ScanSupervisor(
      giveUpAfter: options.giveUpAfter, silenceLimit: options.silenceLimit,
      rungs: adapter.rungs, hasRun: hasRun)
    supervisor.name(adapter.name)
  }

  /// Returns when the scan runs for the first time, saying how it is done.
  func start() async throws(SourceError) -> ScanSummary {
    let result: Result<ScanSummary, SourceError> = await withCheckedContinuation { continuation in
      // One that was stopped before does not begin.
      if let finished { return continuation.resume(returning: finished.map { _ in summary }) }
      starting = continuation
      handle(.start)
    }
    return try result.get()
  }

  /// Waits for the end: of a scan that could not be brought back, or of one that was stopped.
  func end() async throws(SourceError) {
    let result: Result<Void, SourceError> = await withCheckedContinuation { continuation in
      // Looked for within: between lines before, it could end.
      if let finished {
        continuation.resume(returning: finished)
      } else {
        waiting.append(continuation)
      }
    }
    try result.get()
  }

  /// Ends the scan; returns when everything is closed.
  func stop() async {
    handle(.stop)
    try? await end()
  }

  /// Listens in this rhythm, which begins now.
  func listen(_ rhythm: ScanRhythm) async {
    guard rhythm != self.rhythm else { return }
    beat?.cancel()
    self.rhythm = rhythm
    handle(.goOn)
    switch rhythm {
    case .steady: break
    case .paused: rest()
    default: beat(after: rhythm.listening, .rest)
    }
    await turn?.value
  }

  /// The next turn of a rhythm. Here and not with who wants it: in a quiet place it is all that
  /// happens, and other threads need not wake up for it.
  private func beat(after time: Duration, _ event: ScanSupervisor.Event) {
    beat = schedule(after: time) { driver in
      guard driver.finished == nil else { return }
      let (listening, cycle) = (driver.rhythm.listening, driver.rhythm.cycle)
      if case .rest = event {
        driver.rest()
        driver.beat(after: cycle - listening, .goOn)
      } else {
        driver.handle(event)
        driver.beat(after: listening, .rest)
      }
    }
  }

  /// Begins a pause, which is no silence of the place.
  private func rest() {
    if let outlet { learn(outlet.traffic) }
    outlet?.interrupted()
    handle(.rest)
  }

  private func handle(_ event: ScanSupervisor.Event) {
    supervisor.othersDeliver = othersDeliver()
    if case .closed = event { supervisor.isBlocked = repair?.isBlocked ?? false }
    perform(supervisor.handle(event, at: .now - epoch))
  }

  private func perform(_ actions: [ScanSupervisor.Action]) {
    for action in actions {
      switch action {
      case .open: open()
      case .close: close()
      case .take(let step): take(step)
      case .rest: turn { session in await session.pause() }
      case .goOn: turn { session throws(SourceError) in try await session.resume() }
      case .wake(let time): wake(at: time)
      case .tell(let state):
        if state == .scanning { started(.success(summary)) }
        if case .recovery(let step) = state, step.wasTaken {
          queue.count { $0.recoverySteps &+= 1 }
        }
        // Pauses of a rhythm are nothing to tell.
        if state != .paused || rhythm == .paused { tell(state) }
      case .finish(let error): finish(error)
      }
    }
  }

  private func open() {
    generation += 1
    let number = generation
    let outlet = ScanOutlet(
      queue: queue, onFault: { [weak self] error in Task { await self?.fault(error, in: number) } },
      onPause: { [weak self] reason in self?.assumeIsolated { $0.pause(reason, in: number) } },
      onHeard: { [weak self] in Task { await self?.heard(in: number) } }, traffic: traffic,
      since: epoch)
    let session = makeSession(outlet)
    self.outlet = outlet
    self.session = session
    Task {
      do throws(SourceError) {
        summary = try await session.open()
        await repair?.remember()
        if repair != nil { supervisor.name(summary.name) }
        named(summary.name)
        handle(.opened)
        // What came while it was being opened.
        if outlet.hasHeard { heard(in: number) }
      } catch {
        handle(.failed(error))
      }
    }
  }

  private func fault(_ error: SourceError?, in number: Int) {
    guard number == generation else { return }
    handle(error.map { .fault($0) } ?? .stop)
  }

  private func pause(_ reason: String?, in number: Int) {
    guard number == generation else { return }
    outlet?.interrupted()
    handle(reason.map { .paused($0) } ?? .resumed)
  }

  /// The first report.
  private func heard(in number: Int) {
    guard number == generation, let outlet else { return }
    learn(outlet.traffic)
  }

  private func learn(_ traffic: TrafficWatch) {
    self.traffic = traffic
    supervisor.silenceLimit = traffic.limit
    supervisor.usualGap = traffic.usualGap
    // The same again would undo what the supervisor knows of pauses since.
    guard let heard = traffic.lastHeard, heard != lastHeard else { return }
    lastHeard = heard
    perform(supervisor.handle(.heard, at: heard))
  }

  private func take(_ step: RecoveryStep.Kind) {
    Task {
      let problem = await repair?.take(step) ?? nil
      handle(.taken(problem))
    }
  }

  private func turn(
    _ body: @escaping @Sendable (any ScanSession) async throws(SourceError) -> Void
  ) {
    guard let session else { return }
    let (before, number) = (turn, generation)
    turn = Task {
      await before?.value
      do throws(SourceError) { try await body(session) } catch { fault(error, in: number) }
    }
  }

  private func close() {
    if let outlet {
      learn(outlet.traffic)
      // What cannot be heard from here on is no silence of the place.
      traffic.interrupted()
    }
    timer?.cancel()
    timer = nil
    let session = session
    self.session = nil
    outlet = nil
    let turn = turn
    self.turn = nil
    Task {
      await turn?.value
      await beforeClosing()
      await session?.close()
      handle(.closed)
    }
  }

  private func wake(at time: Duration) {
    timer?.cancel()
    timer = schedule(after: epoch + time - .now) { $0.timerFired() }
  }

  /// Reports are expected from now on.
  func expectReports() { handle(.interrupted) }

  private func timerFired() {
    timer = nil
    if let outlet { learn(outlet.traffic) }
    handle(.timer)
  }

  private func started(_ result: Result<ScanSummary, SourceError>) {
    starting?.resume(returning: result)
    starting = nil
  }

  private func finish(_ error: SourceError?) {
    let result: Result<Void, SourceError> = error.map { .failure($0) } ?? .success(())
    started(error.map { .failure($0) } ?? .success(summary))
    finished = result
    beat?.cancel()
    for continuation in waiting { continuation.resume(returning: result) }
    waiting = []
  }
}
