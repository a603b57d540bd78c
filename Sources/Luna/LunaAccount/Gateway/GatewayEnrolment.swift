import Diagnosis
import EventLoop
public import LunaClient
public import LunaCore
public import LunaCrypto
import LunaJSON
public import LunaStore
import Synchronization

/// A gateway that has no token yet: it offers itself to its backend until somebody has scanned its label,
/// while it listens and queues already.
///
/// As a ``LunaClient/TokenProvider`` it lets requests wait until there is a token.
public final class GatewayEnrolment: TokenProvider {
  /// How often it offers itself at first, and at last.
  private static let pauses = (first: Duration.seconds(10), last: Duration.seconds(600))

  private struct State {
    var isOver = false
    var offering: Task<Void, Never>?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let client: BackendClient
  private let directory: StateDirectory
  private let files: EnrolmentFiles
  private let clock: WallClock
  private let listeners = Listeners<EnrolmentUpdate>(keeping: 64)
  private let shared = Mutex(State())

  /// An enrolment that has not begun; nil for a gateway that has a token.
  ///
  /// - Parameters:
  ///   - configuration: how the backend is reached, with its address.
  ///   - directory: where the gateway's key and its token are kept.
  ///   - clock: what is waited by; a test has another.
  /// - Throws: as ``LunaClient/BackendClient``.
  public init?(
    _ configuration: ClientConfiguration, state directory: StateDirectory,
    clock: WallClock = .system
  ) throws(BackendError) {
    let files = EnrolmentFiles(in: directory)
    guard case .file = TokenSource.standard(.gateway, in: directory.path), !files.hasToken else {
      return nil
    }
    client = try BackendClient(configuration, token: .none)
    self.directory = directory
    self.files = files
    self.clock = clock
  }

  /// What becomes of it from now on; ends when there is nothing more to tell, at once where that was before.
  public var updates: AsyncStream<EnrolmentUpdate> {
    // Under the lock: what is asked for before the end is ended by it.
    shared.withLock { state in
      state.isOver ? AsyncStream { $0.finish() } : listeners.makeStream()
    }
  }

  /// Begins to offer, once; not after ``stop()``.
  ///
  /// - Parameter telemetry: told how long it took, where that is wanted.
  public func start(telemetry: (any TelemetrySink)? = nil) {
    shared.withLock { state in
      guard !state.isOver, state.offering == nil else { return }
      state.offering = Task { await run(telemetry) }
    }
  }

  /// Gives up: whoever waits for the token gets none.
  public func stop() {
    let task = shared.withLock { state in
      state.isOver = true
      return state.offering
    }
    task?.cancel()
    // One that has begun tells to its end.
    if task == nil { listeners.finish() }
    wake()
  }

  /// Lets those who wait look again.
  private func wake() {
    let waiting = shared.withLock { state in
      defer { state.waiting = [] }
      return state.waiting
    }
    for one in waiting { one.resume() }
  }

  private func run(_ telemetry: (any TelemetrySink)?) async {
    defer { listeners.finish() }
    let key: GatewayKey
    var offer: EnrolmentOffer
    do throws(BackendError) {
      key = try await self.key()
      listeners.tell(.offering(key.print))
      offer = try await makeOffer(with: key)
    } catch {
      return fail(error)
    }
    let began = clock.elapsed()
    var told: String?
    while !Task.isCancelled {
      do throws(BackendError) {
        try await client.offer(offer.json)
        try await Blocking.run { [files] () throws(BackendError) in try files.keep() }
        telemetry?.record(.operation("enrol", in: "finder", took: clock.elapsed() - began))
        listeners.tell(.enrolled(tokenFile: files.tokenFile))
        // Nobody is left to wake who waits from now on, as for a file that was taken away.
        return stop()
      } catch {
        // What is new is told; that nobody has scanned yet was said.
        let code = error.problem?.code ?? error.kind.rawValue
        if code != told, code != EnrolmentOffer.unscanned { listeners.tell(.refused(error)) }
        told = code
        var pause = min(
          max(GatewayEnrolment.pauses.first, (clock.elapsed() - began) / 5),
          GatewayEnrolment.pauses.last)
        if let seconds = error.retryAfter { pause = max(pause, .seconds(min(seconds, 3600))) }
        try? await clock.sleep(pause)
        guard code == EnrolmentOffer.superseded, !Task.isCancelled else { continue }
        files.forgetOffered()
        do throws(BackendError) {
          offer = try await makeOffer(with: key)
        } catch {
          return fail(error)
        }
      }
    }
  }

  /// Nobody waits for a token that will not come.
  private func fail(_ error: BackendError) {
    listeners.tell(.failed(error))
    stop()
  }

  private func key() async throws(BackendError) -> GatewayKey {
    do throws(DeviceStoreError) {
      return try await GatewayKey(in: directory)
    } catch {
      throw BackendError(.local, error.reason, remedy: error.remedy)
    }
  }

  private func makeOffer(with key: GatewayKey) async throws(BackendError) -> EnrolmentOffer {
    let token = try await Blocking.run { [files] () throws(BackendError) in
      try files.offeredToken()
    }
    do throws(CryptoError) {
      let digest = try SHA256.digest(of: token.utf8Span.span)
      return try EnrolmentOffer(
        privateKey: key.privateKey, tokenDigest: digest.indices.map { digest[$0] })
    } catch {
      throw BackendError(.local, error.description)
    }
  }

  /// The token, as soon as there is one, unless the task is cancelled before. It is read for every request, so that a
  /// rotation needs no restart.
  public func token() async throws(BackendError) -> SecretBytes {
    while !files.hasToken {
      let isOver = shared.withLock { $0.isOver }
      guard !isOver, !Task.isCancelled else {
        throw BackendError(
          .local, "this gateway has no token yet",
          remedy: "have an operator scan its label, or use \(.enrolment)")
      }
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let isDone = shared.withLock { state in
            // It may have come since it was looked for.
            if state.isOver || files.hasToken || Task.isCancelled { return true }
            state.waiting.append(continuation)
            return false
          }
          if isDone { continuation.resume() }
        }
      } onCancel: {
        wake()
      }
    }
    return try await Blocking.run { [files] () throws(BackendError) in try files.token() }
  }

  /// There is no other one.
  public func renew(after refused: SecretBytes) async -> Bool { false }
}
