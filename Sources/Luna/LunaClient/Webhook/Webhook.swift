import CCurl
import Diagnosis
import EventLoop
package import LunaCore
import LunaCrypto
import SafeText
import Synchronization

/// Posts what happens to a server, a JSON object each (`Content-Type: application/json`), beside the
/// program, which never waits for it: the shell around ``WebhookQueue``. Redirects are not followed.
package final class Webhook: Sendable {
  /// Posts a body, within this limit.
  typealias Post = @Sendable ([UInt8], Duration) async -> DeliveryOutcome

  /// How it goes.
  package enum News: Sendable, Equatable {
    /// It does not work any more, for this reason.
    case failing(String)
    /// It works again.
    case works
    /// What waits is more than there is room for.
    case overflowing
  }

  /// How long a request may take.
  static let requestLimit: Duration = .seconds(10)

  private struct State {
    var queue = WebhookQueue()
    var trouble: String?
    /// Whether too much waits, which was told when it began; until nothing waits any more.
    var isOverflowing = false
    /// When it has to be over; nil while it goes on.
    var deadline: Duration?
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let bell = Bell()
  private let post: Post
  private let clock: WallClock
  private let report: @Sendable (News) -> Void

  /// A webhook; nothing is sent yet.
  ///
  /// - Parameters:
  ///   - configuration: how its server is reached; its URL and its limits are those of the webhook.
  ///   - token: goes along as a bearer token; it is read for each request.
  ///   - report: is told when it begins to fail, and when it works again.
  /// - Throws: `BackendError` of kind `local` when libcurl is missing or the token cannot be read.
  package convenience init(
    _ url: WebhookURL, configuration: ClientConfiguration, token: TokenSource,
    report: @escaping @Sendable (News) -> Void
  ) throws(BackendError) {
    self.init(
      post: try Webhook.posting(to: url, configuration, token), clock: .system, report: report)
  }

  init(post: @escaping Post, clock: WallClock, report: @escaping @Sendable (News) -> Void) {
    self.post = post
    self.clock = clock
    self.report = report
    state.withLock { $0.task = Task { await run() } }
  }

  /// How many events have not arrived, and will not.
  package var lost: Int { state.withLock(\.queue.lost) }

  /// How many have.
  package var delivered: Int { state.withLock(\.queue.delivered) }

  /// Something happened. Returns at once; of more than 64 that wait, the oldest are lost.
  package func tell(_ body: [UInt8]) {
    let overflows = state.withLock { state in
      guard state.deadline == nil else { return false }
      guard !state.queue.add(body) else { return false }
      defer { state.isOverflowing = true }
      return !state.isOverflowing
    }
    if overflows { report(.overflowing) }
    bell.ring()
  }

  /// Posts what waits still, once each, and no longer than this. Nobody waits for a server that has been asked
  /// before and does not answer.
  package func finish(within limit: Duration) async {
    let task = state.withLock { state in
      state.deadline = clock.elapsed() + limit
      return state.task
    }
    bell.ring()
    let (end, ended) = AsyncStream.makeStream(of: Void.self)
    let watcher = Task {
      await task?.value
      ended.finish()
    }
    let timer = Task { [clock] in
      try? await clock.sleep(limit)
      ended.finish()
    }
    for await _ in end {}
    timer.cancel()
    watcher.cancel()
    giveUp()
  }

  private func run() async {
    while true {
      let (step, deadline) = state.withLock { state in
        (state.queue.next(at: clock.elapsed()), state.deadline)
      }
      switch step {
      case .post(let body):
        let left = deadline.map { $0 - clock.elapsed() } ?? Webhook.requestLimit
        if left <= .zero { return giveUp() }
        take(await post(body, min(left, Webhook.requestLimit)))
      case .wait(let pause):
        // There is no time to try anything twice.
        if deadline != nil { return giveUp() }
        await bell.wait(for: pause, by: clock)
      case .rest:
        if deadline != nil { return }
        await bell.wait(for: .seconds(3600), by: clock)
      }
    }
  }

  private func giveUp() { state.withLock { $0.queue.giveUp() } }

  private func take(_ outcome: DeliveryOutcome) {
    let trouble: String? =
      switch outcome {
      case .delivered: nil
      case .failed(let reason, _), .refused(let reason), .gone(let reason): reason
      }
    let isNews = state.withLock { state in
      state.queue.ended(outcome, at: clock.elapsed())
      if state.queue.isEmpty { state.isOverflowing = false }
      defer { state.trouble = trouble }
      return state.trouble != trouble
    }
    if isNews { report(trouble.map { .failing($0) } ?? .works) }
  }

  static func posting(
    to url: WebhookURL, _ wanted: ClientConfiguration, _ token: TokenSource
  ) throws(BackendError) -> Post {
    _ = try header(of: token)
    var configuration = wanted
    configuration.totalTimeout = requestLimit
    configuration.answerLimit = 1 << 16
    if configuration.proxy.isEmpty, url.isLoopback, !url.isEncrypted { configuration.proxy = "-" }
    let exchange: HTTPExchange
    do throws(HTTPError) {
      exchange = try HTTPExchange(configuration)
    } catch {
      throw BackendError(.library, error.reason, remedy: error.remedy)
    }
    let blocking = Blocking(name: "luna.webhook")
    return { body, limit in
      await blocking.run {
        do throws(BackendError) {
          return DeliveryOutcome(
            exchange.perform(
              "POST", url.text, headers: ["Content-Type: application/json"],
              secrets: try header(of: token).map { [$0] } ?? [], body: .plain(body), limit: limit))
        } catch {
          return .failed(error.reason, retryAfter: nil)
        }
      }
    }
  }

  /// The token; what is wrong with it without the remedies for that of a backend.
  private static func header(of token: TokenSource) throws(BackendError) -> SecretBytes? {
    do throws(BackendError) {
      return try token.header()
    } catch {
      throw BackendError(error.kind, error.reason)
    }
  }
}
