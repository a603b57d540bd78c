import Bluetooth
import Diagnosis
public import LunaCore
package import LunaStore
import Synchronization

/// Records what a program does, keeps that on disk, and sends it to a backend (FLEET.md, 4).
///
/// ```swift
/// Telemetry.enable(root: "kitchen")
/// try await withTelemetry("door", logAppearances: true) {
///   try TelemetryContext.current.logEvent(key: "opened")
/// }
/// ```
public actor Telemetry {
  private static let enabled = Mutex<Telemetry?>(nil)

  /// The telemetry of this program; nil until it is enabled.
  public static var shared: Telemetry? { enabled.withLock { $0 } }

  /// How long something waits to be written.
  private static let writeDelay = Duration.seconds(1)
  /// How long what could not be written waits, unless something else is.
  private static let retryDelay = Duration.seconds(30)
  /// How often old items are dropped, and samples of health are queued.
  private static let pruneInterval = Duration.seconds(3600)
  private static let sampleInterval = Duration.seconds(300)
  /// What is started again and again, and ends within so many seconds, has no course to be told.
  private static let shortest: Int64 = 5
  /// How long who asks for a flush waits for another process that sends.
  private static let turnPatience = Duration.seconds(35)

  /// How long between the times at which something is sent, more or less; how long something may wait at
  /// all; and for how long the same key is counted up.
  private struct Intervals {
    var push = Duration.seconds(30)
    var expire = Duration.seconds(7 * 86_400)
    var buffer = Duration.seconds(5)
  }

  /// What came of an attempt.
  private struct Sent {
    var report: FlushReport
    let end: FlushEnd
  }

  private struct Health {
    /// The newest report, as long as it was not sent.
    var newest: HealthReport?
    /// Counts the reports.
    var number = 0
    var sampledAt: Duration?
    /// What the gateway hears, as long as it was not sent.
    var devices: [DeviceReport] = []
    /// Counts those lists.
    var deviceNumber = 0
  }

  nonisolated let root: TelemetryKey
  nonisolated let clocks: TelemetryClocks
  private nonisolated let configuration: TelemetryConfiguration
  private nonisolated let store: (any TelemetryStore)?
  /// Why there is no store.
  private nonisolated let obstacle: DeviceStoreError?
  private nonisolated let clock: WallClock
  private nonisolated let intervals = Mutex(Intervals())
  private nonisolated let buffer = Mutex(TelemetryBuffer())
  private nonisolated let health = Mutex(Health())
  /// Rings when something is to be sent before its time.
  private nonisolated let bell = Bell()
  private var pace = FlushPace()
  private var generator = SystemRandomNumberGenerator()
  private var sending: Task<Sent, Never>?
  private var problem: DeviceStoreError?
  private var loop: Task<Void, Never>?
  /// The last write that was begun, and one that is to come.
  private var writing: Task<Void, Never>?
  private var retrying: Task<Void, Never>?
  private var prunedAt: Duration?

  /// Makes the telemetry of this program. What is recorded is sent from now on, where there is a backend.
  ///
  /// - Parameter root: the first part of all keys, or several.
  /// - Returns: the telemetry, which is ``shared`` from now on.
  @discardableResult
  public static func enable(
    root: String = "luna", configuration: TelemetryConfiguration = .init()
  ) -> Telemetry {
    let telemetry = Telemetry(root: root, configuration)
    enabled.withLock { $0 = telemetry }
    Task { await telemetry.start() }
    return telemetry
  }

  /// Telemetry beside the program's; nothing is sent by itself until ``start()``.
  package init(
    root: String = "luna", _ configuration: TelemetryConfiguration,
    clocks: TelemetryClocks = .system, clock: WallClock = .system
  ) {
    self.root = TelemetryKey(root: root)
    self.configuration = configuration
    self.clocks = clocks
    self.clock = clock
    do throws(DeviceStoreError) {
      if let store = configuration.store {
        self.store = store
      } else {
        let directory: StateDirectory
        if let own = configuration.state { directory = own } else { directory = try .standard() }
        store = SQLiteTelemetryStore(in: directory, clocks: clocks)
      }
      obstacle = nil
    } catch {
      store = nil
      obstacle = error
    }
  }

  deinit {
    loop?.cancel()
    retrying?.cancel()
  }

  /// How long between the times at which something is sent; it varies by a fifth, so that gateways that
  /// began together do not send together.
  public nonisolated var pushInterval: Duration {
    get { intervals.withLock { $0.push } }
    set { intervals.withLock { $0.push = max(.zero, newValue) } }
  }

  /// How long something waits at most.
  public nonisolated var expireInterval: Duration {
    get { intervals.withLock { $0.expire } }
    set { intervals.withLock { $0.expire = max(.zero, newValue) } }
  }

  /// For how long the same key and value are counted up instead of being items of their own.
  public nonisolated var bufferInterval: Duration {
    get { intervals.withLock { $0.buffer } }
    set { intervals.withLock { $0.buffer = max(.zero, newValue) } }
  }

  /// Tells what happens to the program: operations that it ends are not recorded. That the machine slept is
  /// noticed without.
  public static func enter(_ phase: LifecyclePhase) { OperationScope.enter(phase) }

  static func check(_ value: String) throws(TelemetryError) {
    guard TelemetryItem.isValue(value) else {
      throw TelemetryError(
        .value, "a value of telemetry has more than \(TelemetryItem.valueLimit) characters",
        remedy: "record which of a few it is, or a number")
    }
  }

  /// Records something.
  nonisolated func record(_ key: TelemetryKey, _ value: String) throws(TelemetryError) {
    try Telemetry.check(value)
    let window = bufferInterval
    follow(
      buffer.withLock {
        $0.add(key: key.text, value: value, at: clocks.awake(), within: window) { clocks.time }
      })
  }

  /// Counts something that could not be recorded.
  nonisolated func lose(_ reason: String) { follow(buffer.withLock { $0.lose(reason) }) }

  private nonisolated func follow(_ advice: TelemetryBuffer.Advice) {
    switch advice {
    case .nothing: break
    case .soon:
      Task { [clock] in
        try? await clock.sleep(Telemetry.writeDelay)
        await write()
      }
    case .now: Task { await write() }
    }
  }

  /// Does something with this telemetry instead of the program's.
  package nonisolated func within<Result>(
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let scope = OperationScope(parent: nil, subkey: "", telemetry: self)
    return try await TelemetryContext.$current.withValue(TelemetryContext(scope)) {
      try await body()
    }
  }

  /// Whether a text can be the root of keys.
  package static func isRoot(_ text: String) -> Bool { TelemetryItem.isPath(text, parts: 1...8) }

  /// Records something under the root, for a command: it is on the disk when this returns.
  package func log(_ name: String, value: String = "1") async throws {
    try record(try root.appending(name), value)
    if let problem = await save() { throw problem }
  }

  /// Writes what was recorded.
  ///
  /// - Returns: why that, or what was asked for before, is not possible.
  package func save() async -> DeviceStoreError? {
    await write()
    return problem
  }

  /// Writes what was recorded; when that is not possible it waits, as much as there is room for.
  func write() async {
    // What somebody else has taken out is on the disk, too, when this returns.
    let before = writing
    let task = Task {
      await before?.value
      await writeNow()
    }
    writing = task
    await task.value
  }

  private func writeNow() async {
    let window = bufferInterval
    var (records, losses) = buffer.withLock {
      ($0.drain(at: clocks.awake(), within: window), $0.drainLosses())
    }
    guard !records.isEmpty || !losses.isEmpty else { return }
    do throws(DeviceStoreError) {
      let store = try opened()
      try await store.append(records, within: window)
      records = []
      while let (reason, number) = losses.first {
        try await store.count(lost: reason, by: number)
        losses[reason] = nil
      }
      problem = nil
    } catch {
      // What is written already is not written twice.
      problem = error
      buffer.withLock { [records, losses] in $0.restore(records, losses) }
      retry()
    }
  }

  /// Writes again in a while, whether or not something is recorded until then.
  private func retry() {
    guard retrying == nil else { return }
    retrying = Task { [weak self, clock] in
      guard (try? await clock.sleep(Telemetry.retryDelay)) != nil else { return }
      await self?.writeAgain()
    }
  }

  private func writeAgain() async {
    retrying = nil
    await write()
  }

  private func opened() throws(DeviceStoreError) -> any TelemetryStore {
    if let store { return store }
    throw obstacle
      ?? DeviceStoreError(
        .failed, "there is no place for telemetry", remedy: "name \(.namedDirectory)")
  }

  /// Begins to send, and to drop what is too old.
  package func start() {
    guard loop == nil else { return }
    loop = Task { [weak self, bell, clock] in
      while !Task.isCancelled {
        guard let pause = await self?.turn() else { return }
        await bell.wait(for: pause, by: clock)
      }
    }
  }

  /// Writes what was recorded, sends what it can within a short time, and stops.
  package func finish(sending: Bool = true) async {
    loop?.cancel()
    loop = nil
    await write()
    retrying?.cancel()
    if sending, configuration.uploader != nil, !pace.isFailing { _ = await send(within: .zero) }
  }

  /// What is due now.
  ///
  /// - Returns: how long until something is due again.
  private func turn() async -> Duration {
    let now = clocks.sinceBoot()
    if prunedAt.map({ now - $0 >= Telemetry.pruneInterval }) ?? true {
      prunedAt = now
      try? await store?.prune(olderThan: expireInterval)
    }
    guard configuration.uploader != nil else { return Telemetry.pruneInterval }
    let end = await send(within: .zero).end
    return pace.pause(after: end, every: pushInterval, using: &generator)
  }

  /// Sends everything that waits.
  @discardableResult
  public func flush() async -> FlushReport {
    await send(within: Telemetry.turnPatience).report
  }

  private func send(within patience: Duration) async -> Sent {
    // One that is under way may have begun before the last item came.
    while let sending { _ = await sending.value }
    let task = Task {
      let sent = await sendNow(within: patience)
      sending = nil
      return sent
    }
    sending = task
    return await task.value
  }

  private func sendNow(within patience: Duration) async -> Sent {
    await write()
    var (report, end) = await attempt(within: patience)
    switch end {
    case .done:
      // What cannot be read waits still.
      report.problem = problem.map { BackendError(.local, $0.reason, remedy: $0.remedy) }
    case .failed(let error), .refused(let error, _): report.problem = error
    case .signedOut: report.isSignedOut = true
    case .busy:
      report.problem = BackendError(
        .inUse, "another program is sending telemetry just now",
        remedy: "it sends all that waits: try again when it has ended")
    }
    if let error = end.error {
      try? await store?.note(error.reason)
    } else if report.accepted + report.duplicates + report.samples > 0 || report.sentHealth {
      try? await store?.note(nil)
    }
    report.waiting = (try? await store?.status().waiting) ?? 0
    return Sent(report: report, end: end)
  }

  private func attempt(within patience: Duration) async -> (FlushReport, FlushEnd) {
    guard let uploader = configuration.uploader else {
      let error = BackendError(
        .local, "there is no backend for telemetry", remedy: "name it with \(.backend)")
      return (FlushReport(), .failed(error))
    }
    if let isSignedIn = configuration.isSignedIn, !(await isSignedIn()) {
      if configuration.whenSignedOut == .drop {
        _ = try? await store?.clear(as: TelemetryLoss.signedOut)
      }
      return (FlushReport(), .signedOut)
    }
    var begun: Bool?
    do throws(DeviceStoreError) {
      begun = try await store?.beginTurn(within: patience)
    } catch {
      problem = error
    }
    // Without a queue there is still the health to be sent.
    guard let isOurs = begun else {
      return await send(to: uploader, from: nil, isPatient: patience > .zero)
    }
    guard isOurs else { return (FlushReport(), .busy) }
    let result = await send(to: uploader, from: store, isPatient: patience > .zero)
    await store?.endTurn()
    return result
  }

  private func send(
    to uploader: any TelemetryUploader, from store: (any TelemetryStore)?, isPatient: Bool
  ) async -> (FlushReport, FlushEnd) {
    let news = health.withLock { $0 }
    var machine = FlushMachine(
      hasHealth: news.newest != nil || !news.devices.isEmpty,
      size: isPatient ? TelemetryUpload.itemLimit : pace.size, isPatient: isPatient)
    var actions = [machine.first]
    while !actions.isEmpty {
      switch actions.removeFirst() {
      case .load(let limit):
        var entries: [QueuedTelemetry] = []
        do throws(DeviceStoreError) {
          entries = try await store?.next(limit) ?? []
          if store != nil { problem = nil }
        } catch {
          problem = error
        }
        actions += machine.take(.loaded(entries))
      case .send(let entries, let sendsHealth):
        do throws(BackendError) {
          let outcomes = try await uploader.upload(upload(entries, sendsHealth ? news : nil))
          if sendsHealth {
            health.withLock {
              if $0.number == news.number { $0.newest = nil }
              if $0.deviceNumber == news.deviceNumber { $0.devices = [] }
            }
          }
          actions += machine.take(.answered(outcomes))
        } catch {
          // Devices are told anew in a while; what a backend cannot read must not hold up the health.
          if sendsHealth, error.kind == .malformed { health.withLock { $0.devices = [] } }
          actions += machine.take(.failed(error))
        }
      case .settle(let settlement):
        do throws(DeviceStoreError) {
          try await store?.settle(settlement)
        } catch {
          // What was sent is sent again, once this is over: the backend knows it.
          problem = error
          return (machine.report, .failed(BackendError(.local, error.reason)))
        }
      case .end(let end): return (machine.report, end)
      }
    }
    return (machine.report, .done)
  }

  private func upload(_ entries: [QueuedTelemetry], _ news: Health?) -> TelemetryUpload {
    var upload = TelemetryUpload(
      product: configuration.product, health: news?.newest, devices: news?.devices ?? [])
    for entry in entries {
      switch entry.content {
      case .item(let item): upload.items.append(item)
      case .sample(let sample): upload.samples.append(sample)
      }
    }
    return upload
  }

  /// What was recorded and sent.
  public func status() async -> TelemetryStatus {
    await write()
    var status = TelemetryStatus()
    status.unwritten = buffer.withLock { $0.waiting }
    status.problem = problem
    do throws(DeviceStoreError) {
      status.queue = try await opened().status()
    } catch {
      status.problem = error
    }
    return status
  }

  /// Drops everything that waits, what the backend did not want, and the counts of losses.
  ///
  /// - Returns: how many items and samples waited.
  @discardableResult
  public func clear() async -> Int {
    await writing?.value
    let window = bufferInterval
    let unwritten = buffer.withLock { buffer in
      _ = buffer.drainLosses()
      return buffer.drain(at: clocks.awake(), within: window).count
    }
    do throws(DeviceStoreError) {
      return try await opened().clear(as: nil) + unwritten
    } catch {
      problem = error
      return unwritten
    }
  }
}

extension Telemetry: TelemetrySink {
  /// Whether a gateway is to tell how it is.
  public nonisolated var wantsHealth: Bool { configuration.recordsHealth }

  /// Takes how the gateway is: the newest report is sent, and one each five minutes is queued, so that an
  /// outage leaves no hole.
  public nonisolated func report(_ report: HealthReport) {
    guard wantsHealth else { return }
    let now = clocks.awake()
    let (isFirst, isSample) = health.withLock { health in
      health.newest = report
      health.number += 1
      let isSample =
        report.uptime ?? .max >= Telemetry.shortest
        && health.sampledAt.map { now - $0 >= Telemetry.sampleInterval } ?? true
      if isSample { health.sampledAt = now }
      return (health.number == 1, isSample)
    }
    if isSample { follow(buffer.withLock { $0.add(report, time: clocks.time) }) }
    // Somebody waits for a new gateway to appear.
    if isFirst { bell.ring() }
  }

  /// Takes what the gateway hears that stays: the newest list is sent with what is sent next.
  public nonisolated func report(_ devices: [DeviceReport]) {
    health.withLock {
      $0.devices = devices
      $0.deviceNumber += 1
    }
  }

  /// Records a use, where that is wanted.
  public nonisolated func record(_ usage: TelemetryUsage) {
    guard configuration.recordsUsage else { return }
    let (name, value) =
      switch usage {
      case .appear(let part): ("\(part).appear", "1")
      case .disappear(let part): ("\(part).disappear", "1")
      case .event(let event, let part): ("\(part).event.\(event)", "1")
      case .operation(let operation, let part, let duration):
        ("\(part).operation.\(operation)", String(duration.wholeMilliseconds))
      }
    do throws(TelemetryError) {
      try record(try root.appending(name), value)
    } catch {
      lose(TelemetryLoss.key)
    }
  }
}
