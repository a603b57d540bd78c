import Bluetooth
import Glibc
import LunaCore
import LunaJSON
import Synchronization

/// The reference server of the Luna API.
public final class BackendServer: Sendable {
  /// How long a stopping server waits for requests that are being worked on.
  private static let patienceAtEnd = Duration.seconds(8)
  /// How often it is looked whether a day is over, after which the oldest one is dropped.
  private static let timeBetweenPrunes = Duration.seconds(600)

  private struct Running: Sendable {
    let socket: ListeningSocket
    let listener: HTTPListener
    let tasks: [Task<Void, Never>]
  }

  private let configuration: BackendConfiguration
  private let storage: any Storage
  private let log: BackendLog
  private let outage: StorageOutage
  private let metrics = Metrics()
  private let running = Mutex<Running?>(nil)

  /// A server that does not run yet.
  ///
  /// - Parameters:
  ///   - storage: brought to this version already.
  ///   - outage: tells of its failures; the one that it was opened with, where it was with one.
  public init(
    _ configuration: BackendConfiguration, storage: any Storage, log: BackendLog = .none,
    outage: StorageOutage? = nil
  ) {
    self.configuration = configuration
    self.storage = storage
    self.log = log
    self.outage = outage ?? StorageOutage(log)
  }

  /// Starts to serve.
  ///
  /// - Returns: where, with the port that it got.
  public func start() async throws(ServerError) -> ListenAddress {
    BackendServer.raiseFileLimit()
    let socket = try ListeningSocket(configuration.listen)
    let address = socket.address
    let api = API(configuration, storage, metrics, log, outage)
    let listener = HTTPListener(
      limits: configuration.limits, observer: { [metrics, log] in observe($0, $1, metrics, log) },
      handler: { await api.answer($0) })
    try listener.start(
      on: socket.descriptor, threads: configuration.threads, tls: configuration.tls)
    let tasks = [
      Task { await BackendServer.every(.seconds(1)) { listener.sweep() } },
      Task { [configuration, storage, log, outage] in
        var last: Day?
        await BackendServer.every(BackendServer.timeBetweenPrunes) {
          let today = Day(configuration.now())
          if last != today, await BackendServer.prune(configuration, storage, log, outage) {
            last = today
          }
        }
      },
    ]
    let state = Running(socket: socket, listener: listener, tasks: tasks)
    running.withLock { $0 = state }
    log.line(
      .info, "listening",
      [
        "address": .string(address.description), "tls": .bool(configuration.tls != nil),
        "storage": .string(storage.name), "debugFields": .bool(configuration.allowsDebugFields),
      ])
    if configuration.tls == nil, !configuration.listen.isLoopback {
      log.line(
        .error,
        "without TLS, tokens can be read on the way; put a proxy with TLS in front, or use "
          + "--tls-cert and --tls-key")
    }
    return address
  }

  /// Stops: takes no more requests, answers those that it has, and writes what waits.
  ///
  /// - Returns: false when requests were still being worked on after some seconds; the process is to
  ///   end then without more.
  @discardableResult
  public func stop() async -> Bool {
    guard
      let state = running.withLock({ state in
        defer { state = nil }
        return state
      })
    else { return true }
    let listener = state.listener
    state.tasks.forEach { $0.cancel() }
    listener.quiesce()
    log.line(.info, "stopping")
    let end = ContinuousClock.now.advanced(by: BackendServer.patienceAtEnd)
    while listener.isBusy, ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(10))
    }
    let isDone = listener.stop()
    if isDone { await storage.close() }
    log.line(.info, "stopped", ["complete": .bool(isDone)])
    return isDone
  }

  /// Every connection is a file.
  private static func raiseFileLimit() {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
    limit.rlim_cur = min(limit.rlim_max, 1 << 20)
    setrlimit(resource, &limit)
  }

  private static func every(_ pause: Duration, _ body: () async -> Void) async {
    while !Task.isCancelled {
      await body()
      try? await Task.sleep(for: pause)
    }
  }

  /// - Returns: whether it worked.
  private static func prune(
    _ configuration: BackendConfiguration, _ storage: any Storage, _ log: BackendLog,
    _ outage: StorageOutage
  ) async -> Bool {
    let now = configuration.now()
    let (began, operation) = (ContinuousClock.now, "prune")
    do throws(StorageError) {
      let count = try await storage.prune(
        before: Day(now) + -configuration.retentionDays, at: now)
      outage.worked(operation)
      if count > 0 { log.line(.info, "dropped old events", ["count": .integer(Int64(count))]) }
      return true
    } catch {
      outage.failed(error, operation, since: began)
      return false
    }
  }
}

/// Counts and logs an answer.
private func observe(
  _ exchange: Exchange, _ response: HTTPResponse, _ metrics: Metrics, _ log: BackendLog
) {
  let operation = (try? API.endpoint(for: exchange.head).0.operation) ?? "none"
  let duration = exchange.began.duration(to: .now)
  metrics.answered(operation, status: response.status, after: duration)
  // Whoever asks again and again whether it is ready was told why not by the storage.
  let level: BackendLog.Level =
    response.isExplained || response.problemCode == "notReady"
    ? .debug : response.status >= 500 ? .error : response.status >= 400 ? .info : .debug
  guard level >= log.level else { return }
  var members: JSONObject = [
    "requestId": .string(exchange.id), "operation": .string(operation),
    "status": .integer(Int64(response.status)),
    "milliseconds": .real((duration / .milliseconds(1) * 1000).rounded() / 1000),
  ]
  if let code = response.problemCode { members.append("code", .string(code)) }
  log.line(level, "request", members)
}
