public import Bluetooth
import Diagnosis
import Dispatch
import LunaCore
import LunaProtocol
import Synchronization

/// Reports trackers of anybody to their owners: hears them, seals where and when for the owner alone,
/// keeps that until the backend has it, and delivers the commands that come back.
///
/// ```swift
/// let finder = LunaFinder(parts: parts)
/// finder.delegate = self
/// finder.startMonitoring()
/// ```
///
/// May be used from any thread.
public final class LunaFinder: Sendable {
  private struct WeakDelegate: Sendable {
    weak var value: (any LunaDelegate)?
  }

  private struct State {
    var delegate = WeakDelegate()
    var session: FinderSession?
    var run: Task<(any Error)?, Never>?
    /// Why the last run has ended, if it did not work.
    var failure: (any Error)?
    /// Which run it is, and whether it is to end.
    var number = 0
    var isStopped = false
    var listeners: [Int: AsyncStream<FinderUpdate>.Continuation] = [:]
    /// How many updates listeners have missed who were slow, as far as they were not told.
    var missed: [Int: Int] = [:]
    var lastListener = 0
  }

  private let parts: FinderParts
  private let state = Mutex(State())
  private let errorListeners = Listeners<any Error>(keeping: 64)
  /// Where the delegate is called, one call after the other.
  private let queue = DispatchQueue(label: "luna.finder")

  /// A finder that does not listen yet.
  public init(parts: FinderParts) { self.parts = parts }

  /// Nothing happens any more: nobody waits for it.
  deinit {
    for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
  }

  /// Who is told what happens; not kept alive.
  public var delegate: (any LunaDelegate)? {
    get { state.withLock { $0.delegate.value } }
    set { state.withLock { $0.delegate.value = newValue } }
  }

  /// What happens from now on, until the monitoring ends. Who is slow gets the last 1,024, and is told
  /// how many are missing (`DropReason.updates`); of a recording, which comes faster than anybody
  /// prints, everything.
  public var updates: AsyncStream<FinderUpdate> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: FinderUpdate.self,
      bufferingPolicy: parts.isRecording ? .unbounded : .bufferingNewest(1024))
    let number = state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = continuation
      return state.lastListener
    }
    continuation.onTermination = { [weak self] _ in
      self?.state.withLock { state in
        state.listeners[number] = nil
        state.missed[number] = nil
      }
    }
    return stream
  }

  /// What does not work from now on, until the monitoring ends: what the delegate is told by
  /// ``LunaDelegate/lunaFinder(didFailWithError:)``. Who is slow gets the last 64.
  public var errors: AsyncStream<any Error> { errorListeners.makeStream() }

  /// Whether it works.
  public var isMonitoring: Bool { state.withLock { $0.run != nil } }

  /// How long ago anything was heard, or the radio told what becomes of it: where nothing is in the air, it
  /// does so now and then. Who looks after a service asks this. It takes as long as the monitoring takes to
  /// come round to it; nil when there is none.
  public func silence() async -> Duration? { await state.withLock { $0.session }?.silence }

  /// What was heard and lost by the monitoring that is on, by whatever sources; all zero when there is none.
  public var counters: SourceCounters {
    state.withLock { $0.session }?.counters ?? SourceCounters()
  }

  /// Begins to work; monitoring that is on is ended first.
  ///
  /// What keeps it from working is told to the delegate (``LunaDelegate/lunaFinder(didFailWithError:)``).
  public func startMonitoring(configuration: LunaConfiguration = .init()) {
    state.withLock { state in
      let before = (session: state.session, run: state.run)
      state.number += 1
      state.session = nil
      state.failure = nil
      state.isStopped = false
      state.run = Task { [number = state.number] in
        // Both would want the radio and the queue.
        await before.session?.end()
        _ = await before.run?.value
        return await monitor(configuration, number)
      }
    }
  }

  /// One run, from beginning to end.
  private func monitor(_ configuration: LunaConfiguration, _ number: Int) async -> (any Error)? {
    let logger = configuration.logger
    let failure: (any Error)?
    do {
      let session = try await FinderSession(configuration, parts) { [weak self] update in
        self?.tell(update, logger)
      }
      if use(session, number) {
        failure = await session.run()
      } else {
        await session.discard()
        failure = nil
      }
    } catch {
      failure = error
    }
    if let failure { tell(.problem(failure), logger) }
    end(number, failure)
    return failure
  }

  /// Ends: the radio is let go at once; what waits is brought to the backend, as far as that works
  /// within 10 s. ``finish()`` waits for that.
  public func stopMonitoring() {
    let session = state.withLock { state in
      state.isStopped = true
      return state.session
    }
    Task { await session?.end() }
  }

  /// Ends as ``stopMonitoring()`` does, and returns when all is done.
  ///
  /// - Returns: what had ended it before, if it did not work.
  @discardableResult
  public func finish() async -> (any Error)? {
    stopMonitoring()
    return await wait()
  }

  /// Waits for the end of a recording, or for something that makes going on impossible.
  ///
  /// - Returns: what that was; also when it is over already.
  public func wait() async -> (any Error)? {
    let (run, failure) = state.withLock { ($0.run, $0.failure) }
    guard let run else { return failure }
    return await run.value
  }

  /// Begins to listen for regions.
  @available(*, deprecated, message: "use startMonitoring(configuration:) with regions")
  public func startBeaconsMonitoring(withRegions regions: [BluetoothUUID]) {
    var configuration = LunaConfiguration()
    configuration.regions = regions
    startMonitoring(configuration: configuration)
  }

  /// Remembers the present session; false when it has been ended meanwhile.
  private func use(_ session: FinderSession, _ number: Int) -> Bool {
    state.withLock { state in
      guard state.number == number, !state.isStopped else { return false }
      state.session = session
      return true
    }
  }

  private func end(_ number: Int, _ failure: (any Error)?) {
    let listeners = state.withLock { state in
      guard state.number == number else {
        return [AsyncStream<FinderUpdate>.Continuation]()
      }
      defer {
        state.session = nil
        state.run = nil
        state.failure = failure
        state.listeners = [:]
      }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
    if !isMonitoring { errorListeners.finish() }
  }

  private func tell(_ update: FinderUpdate, _ logger: any Logger) {
    let (delegate, listeners, missed) = state.withLock { state in
      defer { state.missed = [:] }
      return (state.delegate.value, state.listeners, state.missed)
    }
    for (number, listener) in listeners {
      var lost = missed[number] ?? 0
      switch listener.yield(update) {
      case .dropped: lost += 1
      case .enqueued(let room) where lost > 0 && room > 0:
        listener.yield(.dropped(reason: DropReason.updates, count: lost))
        lost = 0
      default: break
      }
      if lost > 0 { state.withLock { $0.missed[number, default: 0] += lost } }
    }
    FinderLog.write(update, to: logger)
    let error = LunaFinder.error(update)
    if let error { errorListeners.tell(error) }
    guard let delegate else { return }
    if let error { queue.async { delegate.lunaFinder(didFailWithError: error) } }
    switch update {
    case .found(let heid, _, _):
      queue.async { delegate.lunaFinder(didFindHeid: heid.description) }
    case .entered(let region): queue.async { delegate.lunaFinder(didEnterRegion: region) }
    case .exited(let region): queue.async { delegate.lunaFinder(didExitRegion: region) }
    case .state(let state): queue.async { delegate.lunaFinder(didChangeState: state) }
    case .dropped(let reason, let count):
      queue.async { delegate.lunaFinder(didDrop: count, reason: reason) }
    default: break
    }
  }

  /// What does not work, where an update tells of that.
  private static func error(_ update: FinderUpdate) -> (any Error)? {
    switch update {
    case .problem(let error): error
    case .uploadFailed(let error, _): error
    case .unlocated(let reason):
      FinderError(
        .location, "the gateway does not know where it is: \(reason)",
        remedy: "until it does, nothing is reported")
    default: nil
    }
  }
}
