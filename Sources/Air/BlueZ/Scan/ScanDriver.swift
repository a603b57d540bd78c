import Bluetooth
import EventLoop

/// Carries out what a ``ScanSupervisor`` decides, for one adapter.
actor ScanDriver {
  typealias MakeSession = @Sendable (ScanOutlet) -> any ScanSession

  private let reactor: Reactor
  nonisolated var unownedExecutor: UnownedSerialExecutor { reactor.asUnownedSerialExecutor() }

  private let queue: ReportQueue
  private let makeSession: MakeSession
  private let tell: @Sendable (SourceState) -> Void
  private let beforeClosing: @Sendable () async -> Void
  private let epoch = ContinuousClock.now
  private var supervisor: ScanSupervisor
  private var session: (any ScanSession)?
  private var outlet: ScanOutlet?
  private var generation = 0
  private var timer: ReactorTimer?
  private var summary = ScanSummary(name: "", clause: "")
  private var starting: CheckedContinuation<Result<ScanSummary, SourceError>, Never>?
  private var finished: Result<Void, SourceError>?
  private var waiting: [CheckedContinuation<Result<Void, SourceError>, Never>] = []

  init(
    reactor: Reactor, options: ScanOptions, queue: ReportQueue,
    tell: @escaping @Sendable (SourceState) -> Void,
    beforeClosing: @escaping @Sendable () async -> Void = {}, makeSession: @escaping MakeSession
  ) {
    self.reactor = reactor
    self.queue = queue
    self.tell = tell
    self.beforeClosing = beforeClosing
    self.makeSession = makeSession
    supervisor = ScanSupervisor(
      giveUpAfter: options.giveUpAfter, silenceLimit: options.silenceLimit)
  }

  /// Returns when the scan runs for the first time, saying how it is done.
  func start() async throws(SourceError) -> ScanSummary {
    let result = await withCheckedContinuation { continuation in
      starting = continuation
      handle(.start)
    }
    return try result.get()
  }

  /// Waits for the end: of a scan that could not be brought back, or of one that was stopped.
  func end() async throws(SourceError) {
    let result =
      if let finished { finished } else {
        await withCheckedContinuation { waiting.append($0) }
      }
    try result.get()
  }

  /// Ends the scan; returns when everything is closed.
  func stop() async {
    handle(.stop)
    try? await end()
  }

  private func handle(_ event: ScanSupervisor.Event) {
    perform(supervisor.handle(event, at: .now - epoch))
  }

  private func perform(_ actions: [ScanSupervisor.Action]) {
    for action in actions {
      switch action {
      case .open: open()
      case .close: close()
      case .wake(let time): wake(at: time)
      case .tell(let state):
        if state == .scanning { started(.success(summary)) }
        tell(state)
      case .finish(let error): finish(error)
      }
    }
  }

  private func open() {
    generation += 1
    let number = generation
    let outlet = ScanOutlet(
      queue: queue, onFault: { [weak self] error in Task { await self?.fault(error, in: number) } },
      onPause: { [weak self] reason in self?.assumeIsolated { $0.pause(reason, in: number) } })
    let session = makeSession(outlet)
    self.outlet = outlet
    self.session = session
    Task {
      do throws(SourceError) {
        summary = try await session.open()
        handle(.opened)
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
    handle(reason.map { .paused($0) } ?? .resumed)
  }

  private func close() {
    timer?.cancel()
    timer = nil
    let session = session
    self.session = nil
    outlet = nil
    Task {
      await beforeClosing()
      await session?.close()
      handle(.closed)
    }
  }

  private func wake(at time: Duration) {
    timer?.cancel()
    timer = reactor.schedule(after: epoch + time - .now) { [weak self] in
      self?.assumeIsolated { $0.timerFired() }
    }
  }

  /// Reports are expected from now on.
  func expectReports() { handle(.interrupted) }

  private func timerFired() {
    timer = nil
    if let heard = outlet?.lastHeard { perform(supervisor.handle(.heard, at: heard - epoch)) }
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
    for continuation in waiting { continuation.resume(returning: result) }
    waiting = []
  }
}
