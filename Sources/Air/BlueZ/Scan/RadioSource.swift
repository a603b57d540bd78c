import Bluetooth
import EventLoop
import Synchronization

/// The source behind every radio path: plans the scan, runs a supervised session per adapter, and
/// hands their reports to the one consumer.
final class RadioSource: AdvertisementSource {
  private struct State {
    var description: SourceDescription
    var drivers: [ScanDriver] = []
    var troubles: [Int: String] = [:]
    var isStopped = false
    var planned: ScanPlan?
    var beforeClosing: (@Sendable () async -> Void)?
  }

  private let options: ScanOptions
  private let plan: @Sendable () async throws(SourceError) -> ScanPlan
  private let queue: ReportQueue
  private let broadcast = StateBroadcast()
  private let state: Mutex<State>

  init(
    _ path: RadioPath, options: ScanOptions,
    plan: @escaping @Sendable () async throws(SourceError) -> ScanPlan
  ) {
    self.options = options
    self.plan = plan
    queue = ReportQueue(capacity: options.queueCapacity)
    state = Mutex(
      State(
        description: SourceDescription(name: path.description, simulated: false, explanation: "")))
  }

  var description: SourceDescription { state.withLock { $0.description } }
  var states: AsyncStream<SourceState> { broadcast.stream }
  var counters: SourceCounters { queue.counters }

  /// What is done, and on which adapters; nil before `start`.
  var planned: ScanPlan? { state.withLock { $0.planned } }

  /// Called before a session is closed, which may switch its adapter off.
  var beforeClosing: (@Sendable () async -> Void)? {
    get { state.withLock { $0.beforeClosing } }
    set { state.withLock { $0.beforeClosing = newValue } }
  }

  /// A connection has ended: the scan that was interrupted for it is expected to deliver again, and
  /// started anew when it does not.
  func expectReports() async {
    for driver in state.withLock({ $0.drivers }) { await driver.expectReports() }
  }

  func start() async throws(SourceError) {
    do throws(SourceError) {
      let plan = try await plan()
      state.withLock { $0.planned = plan }
      var summaries: [ScanSummary] = []
      for (number, session) in plan.sessions.enumerated() {
        let driver = ScanDriver(
          reactor: .shared, options: options, queue: queue,
          tell: { [weak self] in self?.tell($0, by: number) },
          beforeClosing: { [weak self] in await self?.beforeClosing?() }, makeSession: session)
        guard add(driver) else { return }
        summaries.append(try await driver.start())
      }
      state.withLock {
        $0.description = SourceDescription(
          name: plan.name(of: summaries), simulated: false,
          explanation: plan.explanation(of: summaries))
      }
      watchEnds()
    } catch {
      await stop()
      throw error
    }
  }

  /// False when the source was stopped meanwhile.
  private func add(_ driver: ScanDriver) -> Bool {
    state.withLock { state in
      if !state.isStopped { state.drivers.append(driver) }
      return !state.isStopped
    }
  }

  /// The source ends when the last of its adapters is lost, with what was said about that one.
  private func watchEnds() {
    let drivers = state.withLock { $0.drivers }
    Task { [queue] in
      var last: SourceError?
      for driver in drivers {
        do throws(SourceError) { try await driver.end() } catch { last = error }
      }
      queue.finish(last)
      broadcast.finish()
    }
  }

  /// With several adapters, the state tells the first trouble that there is.
  private func tell(_ change: SourceState, by number: Int) {
    let merged = state.withLock { state -> SourceState in
      switch change {
      case .recovering(let reason), .lost(let reason): state.troubles[number] = reason
      case .starting, .scanning: state.troubles[number] = nil
      }
      if case .lost = change, state.troubles.count == state.drivers.count { return change }
      guard let first = state.troubles.min(by: { $0.key < $1.key }) else { return change }
      return .recovering(reason: first.value)
    }
    broadcast.send(merged)
  }

  func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    try await queue.next()
  }

  func stop() async {
    let drivers = state.withLock { state in
      state.isStopped = true
      return state.drivers
    }
    for driver in drivers { await driver.stop() }
    queue.finish()
    broadcast.finish()
  }
}
