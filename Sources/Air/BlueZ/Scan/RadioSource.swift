import Bluetooth
import EventLoop
import Synchronization

/// The source behind every radio path: plans the scan, runs a supervised session per adapter, and
/// hands their reports to the one consumer.
final class RadioSource: AdvertisementSource {
  private struct State {
    var description: SourceDescription
    /// How its adapters are called: one that comes back may have another number.
    var names: [String] = []
    var drivers: [ScanDriver] = []
    /// What is wrong with adapters, by their place among all.
    var troubles: [Int: String] = [:]
    /// Those that were given up.
    var lost: Set<Int> = []
    var isStopped = false
    var rhythm = ScanRhythm.steady
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

  /// Whether the first adapter, with which connections are made, is being brought back.
  var isBeingRecovered: Bool { state.withLock { $0.troubles[0] != nil } }

  /// Called before the session of the first adapter is closed, which may switch that off.
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
      state.withLock { state in
        state.planned = plan
        state.names = plan.adapters.map(\.name)
      }
      var summaries: [ScanSummary] = []
      var failures: [(number: Int, error: SourceError)] = []
      for (number, adapter) in plan.adapters.enumerated() {
        let driver = makeDriver(adapter, number)
        guard add(driver, number) else { return }
        await driver.listen(state.withLock(\.rhythm))
        do throws(SourceError) {
          summaries.append(try await driver.start())
        } catch {
          failures.append((number, error))
        }
      }
      if let failure = failures.first(where: { !$0.error.canPass }) ?? failures.first,
        summaries.isEmpty || !failure.error.canPass
      {
        throw tell(failures, of: plan, as: failure.error)
      }
      for failure in failures { await follow(plan.adapters[failure.number], failure.number) }
      state.withLock { state in
        state.description = SourceDescription(
          name: plan.name(of: state.names), simulated: false,
          explanation: plan.explanation(of: summaries))
      }
      watchEnds()
    } catch {
      await stop()
      throw error
    }
  }

  /// What is said of a source that could not begin; with several adapters also what is wrong with each.
  private func tell(
    _ failures: [(number: Int, error: SourceError)], of plan: ScanPlan, as error: SourceError
  ) -> SourceError {
    guard plan.adapters.count > 1 else { return error }
    let names = state.withLock { state in
      state.description = SourceDescription(
        name: plan.name(of: state.names), simulated: false, explanation: "")
      return state.names
    }
    var error = error
    for failure in failures { error.failures[names[failure.number]] = failure.error }
    return error
  }

  private func makeDriver(
    _ adapter: ScanPlan.Adapter, _ number: Int, hasRun: Bool = false
  ) -> ScanDriver {
    ScanDriver(
      reactor: .shared, options: options, queue: queue, adapter: adapter, hasRun: hasRun,
      tell: { [weak self] in self?.tell($0, by: number) },
      named: { [weak self] in self?.name(number, $0) },
      othersDeliver: { [weak self] in self?.othersDeliver(than: number) ?? false },
      // Connections are made with the first adapter.
      beforeClosing: { [weak self] in if number == 0 { await self?.beforeClosing?() } })
  }

  /// Goes on looking for one of several adapters that could not be had: the others deliver meanwhile.
  private func follow(_ adapter: ScanPlan.Adapter, _ number: Int) async {
    let driver = makeDriver(adapter, number, hasRun: true)
    guard add(driver, number) else { return }
    await driver.listen(state.withLock(\.rhythm))
    Task { try? await driver.start() }
  }

  /// False when the source was stopped meanwhile.
  private func add(_ driver: ScanDriver, _ number: Int) -> Bool {
    state.withLock { state in
      guard !state.isStopped else { return false }
      if number < state.drivers.count {
        state.drivers[number] = driver
      } else {
        state.drivers.append(driver)
      }
      return true
    }
  }

  /// Takes note of how an adapter is called; known before anything else is told of it.
  private func name(_ number: Int, _ name: String) {
    state.withLock { state in
      guard let plan = state.planned, state.names[number] != name else { return }
      state.names[number] = name
      state.description = SourceDescription(
        name: plan.name(of: state.names), simulated: false,
        explanation: state.description.explanation)
    }
  }

  private func othersDeliver(than number: Int) -> Bool {
    state.withLock { state in
      state.drivers.indices.contains { $0 != number && state.troubles[$0] == nil }
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

  /// With several adapters, the source is in trouble when all of them are; what becomes of each is
  /// told by the steps of its recovery.
  private func tell(_ change: SourceState, by number: Int) {
    if case .recovery = change { return broadcast.send(change) }
    let merged = state.withLock { state -> SourceState? in
      switch change {
      case .recovering(let reason): state.troubles[number] = reason
      case .lost(let reason):
        state.troubles[number] = reason
        state.lost.insert(number)
      case .starting, .scanning, .paused: state.troubles[number] = nil
      case .recovery: break
      }
      if state.troubles.count < state.drivers.count {
        return state.troubles[number] == nil ? change : nil
      }
      if case .lost = change, state.lost.count < state.drivers.count { return nil }
      return change
    }
    guard let merged else { return }
    broadcast.send(merged)
  }

  func nextBatch() async throws(SourceError) -> [AdvertisingReport]? {
    try await queue.next()
  }

  func listen(_ rhythm: ScanRhythm) async {
    let drivers = state.withLock { state in
      state.rhythm = rhythm
      return state.drivers
    }
    for driver in drivers { await driver.listen(rhythm) }
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

extension SourceError {
  /// Whether it may pass by itself.
  fileprivate var canPass: Bool {
    switch kind {
    case .noAdapter, .off, .busy, .lost: true
    case .noPermission, .invalid, .unreadable: false
    }
  }
}
