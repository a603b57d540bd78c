package import LunaCore
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

  /// How often old items are dropped.
  private static let pruneInterval = Duration.seconds(3600)

  /// How long between the times at which something is sent, more or less; how long something may wait at
  /// all; and for how long the same key is counted up.
  private struct Intervals {
    var push = Duration.seconds(30)
    var expire = Duration.seconds(7 * 86_400)
    var buffer = Duration.seconds(5)
  }

  /// What came of an attempt.
  struct Sent {
    var report: FlushReport
    let end: FlushEnd
  }

  /// What there is to tell of the gateway.
  struct Health {
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
  nonisolated let configuration: TelemetryConfiguration
  nonisolated let store: (any TelemetryStore)?
  /// Why there is no store.
  nonisolated let obstacle: DeviceStoreError?
  nonisolated let clock: WallClock
  private nonisolated let intervals = Mutex(Intervals())
  nonisolated let buffer = Mutex(TelemetryBuffer())
  nonisolated let health = Mutex(Health())
  /// Rings when something is to be sent before its time.
  nonisolated let bell = Bell()
  var pace = FlushPace()
  private var generator = SystemRandomNumberGenerator()
  var sending: Task<Sent, Never>?
  var problem: DeviceStoreError?
  private var loop: Task<Void, Never>?
  /// The last write that was begun, and one that is to come.
  var writing: Task<Void, Never>?
  var retrying: Task<Void, Never>?
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
