public import Bluetooth
import Dispatch
public import LunaCore
public import LunaProtocol
import Synchronization

/// Makes trackers one's own: agrees with a tracker in factory state on keys, with the code on its
/// label (PROTOCOL.md, 14).
///
/// ```swift
/// let onboarder = LunaOnboarder(client: radio.client, nearby: local, store: store)
/// let device = try await onboarder.onboard(OnboardingRequest(code: code, name: "Keys"))
/// ```
///
/// The trackers are those that `LunaLocal` hears: the onboarder waits until one accepts connections.
/// The keys are in the store before the tracker can have them. When its last answer is lost, the
/// tracker is asked as soon as it is heard again, now or in a later run; so either side may end at
/// any moment. May be used from any thread.
public final class LunaOnboarder: Sendable {
  /// Gets what happens.
  public typealias EventHandler = @Sendable (LunaOnboarderEvent) -> Void
  /// Gets why a tracker was not onboarded.
  public typealias ErrorHandler = @Sendable (OnboardingError) -> Void
  /// Gets how far an onboarding has come.
  public typealias ProgressHandler = @Sendable (OnboardingProgress) -> Void

  private struct State {
    var onEvent: EventHandler?
    var onError: ErrorHandler?
    var session: Task<Void, Never>?
    var number = 0
  }

  /// How it works.
  public let configuration: OnboarderConfiguration
  private let client: any GATTClient
  private let nearby: any NearbyTrackers
  private let store: any DeviceStore
  private let clock: WallClock
  private let logger: any Logger
  private let state = Mutex(State())
  private let listeners = Listeners<LunaOnboarderEvent>(keeping: 64)
  private let errorListeners = Listeners<OnboardingError>(keeping: 64)
  /// Where callbacks are called, one after the other.
  private let queue = DispatchQueue(label: "luna.onboarder")

  /// An onboarder.
  ///
  /// - Parameters:
  ///   - client: what connects; it stays the caller's.
  ///   - nearby: who hears trackers: a `LunaLocal` that listens.
  ///   - store: gets the keys.
  ///   - clock: what time limits are measured with.
  public init(
    client: any GATTClient, nearby: any NearbyTrackers, store: any DeviceStore,
    configuration: OnboarderConfiguration = OnboarderConfiguration(), clock: WallClock = .system,
    logger: any Logger = ConsoleLogger(level: .INFO)
  ) {
    self.client = client
    self.nearby = nearby
    self.store = store
    self.configuration = configuration
    self.clock = clock
    self.logger = logger
  }

  /// Called with what happens, on a queue of its own, never twice at once; without it that is logged.
  public var onEvent: EventHandler? {
    get { state.withLock { $0.onEvent } }
    set { state.withLock { $0.onEvent = newValue } }
  }

  /// Called with why a tracker was not onboarded, on the same queue. Without it, and without anybody who
  /// follows ``errors``, that is logged.
  public var onError: ErrorHandler? {
    get { state.withLock { $0.onError } }
    set { state.withLock { $0.onError = newValue } }
  }

  /// What happens from now on, of all onboardings. Who is slow gets the last 64.
  public var updates: AsyncStream<LunaOnboarderEvent> { listeners.makeStream() }

  /// Why trackers are not onboarded that ``startOnboarding(localDevice:code:name:allowsUnauthenticated:)``
  /// was called for, from now on. Who is slow gets the last 64.
  public var errors: AsyncStream<OnboardingError> { errorListeners.makeStream() }

  /// Onboards a tracker that is heard. What was being onboarded before is given up.
  ///
  /// - Parameters:
  ///   - localDevice: one whose ``LunaCore/LocalDevice/onboardable`` is true.
  ///   - code: the code on its label; when nil, ``OnboarderConfiguration/code`` is asked for it,
  ///     unless `allowsUnauthenticated`.
  ///   - name: what it is called afterwards.
  ///   - allowsUnauthenticated: whether its owner accepts that without a code nobody can tell who the
  ///     tracker is.
  public func startOnboarding(
    localDevice: LocalDevice, code: OnboardingCode? = nil, name: String? = nil,
    allowsUnauthenticated: Bool = false
  ) {
    let given = OnboardingRequest(
      .device(localDevice), code: code, name: name, allowsUnauthenticated: allowsUnauthenticated)
    state.withLock { state in
      state.session?.cancel()
      state.number += 1
      let number = state.number
      state.session = Task { [weak self] in
        guard let self else { return }
        var request = given
        if request.code == nil, !allowsUnauthenticated {
          request.code = await configuration.code(localDevice)
        }
        do throws(OnboardingError) {
          _ = try await run(request)
        } catch {
          let error = error.kind == .consentNeeded ? .codeMissing : error
          if end(number) { fail(error) }
          return
        }
        _ = end(number)
      }
    }
  }

  /// Gives up what is under way, after the operation that is being done. An onboarding that the
  /// tracker may have taken part in to the end is resolved by the next one.
  public func stopOnboarding() {
    let session = state.withLock { state in
      defer { state.session = nil }
      state.number += 1
      return state.session
    }
    session?.cancel()
  }

  /// Ends a session; false when it was given up.
  private func end(_ number: Int) -> Bool {
    state.withLock { state in
      guard state.number == number else { return false }
      state.session = nil
      return true
    }
  }

  /// Onboards a tracker.
  ///
  /// - Parameter progress: gets how far it has come.
  /// - Throws: ``OnboardingError``; of kind `stopped` when the task is cancelled.
  /// - Returns: the device, which is in the store. It may be one whose onboarding had not ended in an
  ///   earlier run.
  @discardableResult
  public func onboard(
    _ request: OnboardingRequest, progress: @escaping ProgressHandler = { _ in }
  ) async throws(OnboardingError) -> Device {
    var request = request
    request.isDryRun = false
    guard case .onboarded(let device) = try await run(request, progress: progress) else {
      throw .stopped
    }
    return device
  }

  /// Onboards a tracker, or in a dry run finds it.
  ///
  /// - Parameters:
  ///   - progress: gets how far it has come.
  ///   - events: gets what happens right then, instead of ``onEvent`` and ``updates``.
  /// - Throws: ``OnboardingError``.
  public func run(
    _ request: OnboardingRequest, progress: @escaping ProgressHandler = { _ in },
    events: EventHandler? = nil
  ) async throws(OnboardingError) -> OnboardingOutcome {
    try await OnboardingSession(
      client: client, nearby: nearby, store: store, configuration: configuration, clock: clock,
      tell: { [weak self] event in
        if let events { events(event) } else { self?.tell(event) }
      }, progress: progress
    ).run(request)
  }

  private func tell(_ event: LunaOnboarderEvent) {
    let isHeard = !listeners.isEmpty
    listeners.tell(event)
    if let handler = onEvent {
      queue.async { handler(event) }
    } else if !isHeard {
      logger.log(.INFO, event.text)
    }
  }

  private func fail(_ error: OnboardingError) {
    let isHeard = !errorListeners.isEmpty
    errorListeners.tell(error)
    if let handler = onError {
      queue.async { handler(error) }
    } else if !isHeard {
      logger.log(.ERROR, "\(error)")
    }
  }
}

extension LunaOnboarderEvent {
  /// What happened, without secrets.
  fileprivate var text: String {
    switch self {
    case .discoveredConnectableLuna(let address): "a tracker that can be onboarded: \(address)"
    case .discoveredNonConnectableLuna(let address):
      "a tracker that can be onboarded, but accepts no connections right now: \(address)"
    case .lunaOnboarded(let device): "onboarded: \(device)"
    }
  }
}
