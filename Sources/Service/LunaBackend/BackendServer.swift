import Bluetooth
import Diagnosis
import EventLoop
import Glibc
public import HTTPServer
import LunaCore
import LunaJSON
import Synchronization
import WebAccess

/// The reference server of the Luna API.
public final class BackendServer: Sendable {
  /// How long a stopping server waits for requests that are being worked on.
  private static let patienceAtEnd = Duration.seconds(8)
  /// How often it is looked whether a day is over, after which the oldest one is dropped.
  private static let timeBetweenPrunes = Duration.seconds(600)
  /// How often it is looked for what all processes on the storage share.
  private static let timeBetweenSettings = Duration.seconds(60)
  /// How often they tell each other what they took.
  private static let timeBetweenCounts = Duration.seconds(10)
  /// How often each looks for commands that others took.
  private static let timeBetweenCommands = Duration.seconds(1)

  private struct Running: Sendable {
    let listener: HTTPListener
    let passwords: PasswordCheck
    let streams: FleetStreams
    let pruning: Task<Void, Never>
    let following: Task<Void, Never>
    let sharing: Task<Void, Never>
    let reading: Task<Void, Never>
  }

  private let configuration: BackendConfiguration
  private let storage: any Storage
  private let log: BackendLog
  private let outage: StorageOutage
  private let metrics = Metrics()
  private let browsers: BrowserGuard
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
    self.configuration = BackendServer.timed(configuration, by: storage)
    self.storage = storage
    self.log = log
    self.outage = outage ?? StorageOutage(log)
    browsers = BrowserGuard(BackendServer.policy(configuration, nil))
  }

  /// A configuration with the time of the storage, where that has one: the date of this machine plays no part.
  static func timed(
    _ configuration: BackendConfiguration, by storage: any Storage
  ) -> BackendConfiguration {
    var configuration = configuration
    configuration.now = { [own = configuration.now] in storage.time ?? own() }
    return configuration
  }

  /// Where browsers may sign in.
  ///
  /// - Parameter address: where it listens; nil before it does.
  private static func policy(
    _ configuration: BackendConfiguration, _ address: ListenAddress?
  ) -> BrowserGuard.Policy {
    guard configuration.hasConsole, let url = BackendServer.url(configuration, address) else {
      return .off
    }
    return url.isPrivate ? .on(url) : .plainHTTP
  }

  /// Where it is found.
  private static func url(
    _ configuration: BackendConfiguration, _ address: ListenAddress?
  ) -> PublicURL? {
    let own = address.map {
      PublicURL(isSecure: configuration.tls != nil, host: $0.host, port: $0.port)
    }
    return configuration.publicURL ?? own
  }

  /// Where browsers may sign in; nil where they may not. Known once it has started.
  package var publicURL: PublicURL? {
    if case .on(let url) = browsers.current { url } else { nil }
  }

  /// Sees to the first account, as long as there is none.
  ///
  /// - Parameter hasTerminal: whether a person sees what is returned. Whoever has the link makes the
  ///   account: it never goes to a log, which names another way.
  /// - Returns: a link, good once and for an hour; nil where there is an account, or nobody to show it to.
  package func setupLink(hasTerminal: Bool) async -> String? {
    guard let publicURL else { return nil }
    let accounts = AccountStore(storage)
    do throws(StorageError) {
      guard hasTerminal else {
        if try await accounts.isEmpty() {
          log.line(
            .info,
            "nobody can sign in yet: make the first account with \(Remedy.Step.accountCreation)")
        }
        return nil
      }
      let link = try AccountLink(.setup, at: configuration.now())
      return try await accounts.keep(setup: link) ? link.text(publicURL) : nil
    } catch {
      outage.failed(error, "setup", since: .now)
      return nil
    }
  }

  /// Listens for a moment, with the certificate, and answers nobody: whether ``start()`` could.
  ///
  /// - Returns: where.
  public static func tryToListen(
    _ configuration: BackendConfiguration
  ) async throws(ServerError) -> ListenAddress {
    raiseFileLimit()
    let listener = HTTPListener(limits: configuration.limits) { _ in HTTPResponse(503, nil, []) }
    let address = try await Blocking.run { () throws(ServerError) in
      try listener.start(
        on: configuration.listen, threads: configuration.threads, tls: configuration.tls)
    }
    listener.quiesce()
    _ = await listener.stop(within: patienceAtEnd)
    return address
  }

  /// Listens, before there is a storage: who cannot leaves that as it is. Whoever connects waits until
  /// ``start(on:)``.
  package static func listen(
    on address: ListenAddress
  ) async throws(ServerError) -> ListeningSocket {
    // The name of the address may have to be looked up.
    try await Blocking.run { () throws(ServerError) in try ListeningSocket(address) }
  }

  /// Starts to serve.
  ///
  /// - Returns: where, with the port that it got.
  public func start() async throws(ServerError) -> ListenAddress {
    try await start(on: BackendServer.listen(on: configuration.listen))
  }

  /// Starts to serve where it listens already.
  package func start(on socket: ListeningSocket) async throws(ServerError) -> ListenAddress {
    BackendServer.raiseFileLimit()
    let api = API(configuration, storage, metrics, log, outage, browsers)
    await makeRoom()
    let listener = HTTPListener(
      limits: limits, observer: { [metrics, log] in observe($0, $1, metrics, log) },
      handler: { [addition = configuration.addition] request in
        let response = await addition?.answer(request) { await api.holder(request) }
        if let response { return response }
        return await api.answer(request)
      })
    // The library may have to be loaded.
    let address = try await Blocking.run { [configuration] () throws(ServerError) in
      try listener.start(on: socket, threads: configuration.threads, tls: configuration.tls)
    }
    browsers.set(BackendServer.policy(configuration, address))
    api.foreign.note(BackendServer.url(configuration, address))
    await notePublicURL()
    await noteSignInIssuers()
    let pruning = Task { [configuration, storage, log, outage] in
      // So that nobody waits for it. What does not work now is read when it is asked for.
      _ = try? await (api.signs.statuses(at: configuration.now()), api.directory.present())
      var last: Day?
      await BackendServer.every(BackendServer.timeBetweenPrunes) {
        // It is another one with another day, and with another retention.
        let first = Day(configuration.now()) + -Int32(clamping: api.agreed[.retention])
        if last != first,
          await BackendServer.prune(before: first, configuration, storage, log, outage)
        {
          last = first
          api.signs.readAnew()
        }
        // Not worth telling of: they are looked at no more.
        try? await storage.forgetOutcomes(at: configuration.now())
      }
    }
    let following = Task { [storage] in
      guard storage.isShared else { return }
      await BackendServer.every(BackendServer.timeBetweenSettings) { await api.follow() }
    }
    let sharing = Task { [storage] in
      guard storage.isShared else { return }
      await BackendServer.every(BackendServer.timeBetweenCounts) { await api.shareCounts() }
    }
    let reading = Task { [storage] in
      guard storage.isShared else { return }
      await BackendServer.every(BackendServer.timeBetweenCommands) { await api.readCommands() }
    }
    let state = Running(
      listener: listener, passwords: api.passwords, streams: api.streams, pruning: pruning,
      following: following, sharing: sharing, reading: reading)
    running.withLock { $0 = state }
    log.line(
      .info, "listening",
      [
        "address": .string(address.description), "tls": .bool(configuration.tls != nil),
        "storage": .string(storage.name), "debugFields": .bool(configuration.allowsDebugFields),
      ])
    if let damage = storage.damageLeft {
      log.line(
        .error,
        "\(damage) before the start: what was accepted last before that is lost; the gateways have it no "
          + "more, a backup may")
    }
    if configuration.tls == nil, !configuration.listen.isLoopback {
      log.line(
        .error,
        "without TLS, tokens can be read on the way; put a proxy with TLS in front, or use "
          + "\(Remedy.Step.certificate)")
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
    state.pruning.cancel()
    state.following.cancel()
    state.sharing.cancel()
    state.reading.cancel()
    state.listener.quiesce()
    state.streams.stop()
    state.passwords.room.close()
    log.line(.info, "stopping")
    let isDone = await state.listener.stop(within: BackendServer.patienceAtEnd)
    if isDone { await storage.close() }
    log.line(.info, "stopped", ["complete": .bool(isDone)])
    return isDone
  }

  /// Writes a line with what was counted since the start, whatever the least level of the log.
  public func writeStatistics() {
    log.writeAlways(.info, "statistics", metrics.summary)
  }

  /// Returns when it has come round to its storage, whatever that answers: who looks after a service asks
  /// this.
  public func answer() async {
    await StoragePatience.within(StoragePatience.request) { [storage] in
      _ = try? await storage.health()
    }
  }

  /// What comes first is of today and its neighbours. That nobody makes room keeps nobody from serving: another
  /// process may.
  private func makeRoom() async {
    let (began, operation) = (ContinuousClock.now, "makeDays")
    let today = Day(configuration.now())
    do throws(StorageError) {
      try await storage.makeRoom(for: today + -1...today + 1)
      outage.worked(operation)
    } catch {
      outage.failed(error, operation, since: began)
    }
  }

  /// What it takes, with what each endpoint does.
  private var limits: HTTPLimits {
    var limits = configuration.limits
    // Of these two readers could take different ones.
    limits.singleHeaders += ["cookie", "origin", "luna-csrf", "sec-fetch-site", "idempotency-key"]
    limits.endpoint = { head in
      (try? API.endpoint(for: head)).map { ($0.0.operation, $0.0.limits) }
    }
    configuration.addition?.adjust(&limits)
    return limits
  }

  /// Where it is found, for those who make links on the same storage. Not worth failing for.
  private func notePublicURL() async {
    guard let publicURL else { return }
    let time = configuration.now().microseconds
    try? await AccountStore(storage).keep(
      [AccountStore.publicURL: publicURL.description], by: nil, at: time)
  }

  /// At which issuers people can sign in, for whoever looks after accounts on the same storage.
  private func noteSignInIssuers() async {
    let issuers =
      configuration.hasConsole
      ? configuration.issuers.filter { $0.signIn != nil }.map(\.issuer) : []
    try? await AccountStore(storage).noteSignInIssuers(issuers, at: configuration.now())
  }

  /// Every connection is a file.
  package static func raiseFileLimit() {
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
    before first: Day, _ configuration: BackendConfiguration, _ storage: any Storage,
    _ log: BackendLog,
    _ outage: StorageOutage
  ) async -> Bool {
    let now = configuration.now()
    let (began, operation) = (ContinuousClock.now, "prune")
    do throws(StorageError) {
      let count = try await storage.prune(before: first, at: now)
      try await AccountStore(storage).prune(at: now)
      try await storage.pruneTelemetry(at: now)
      try await FleetStore(storage: storage).purge(at: now)
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
  _ exchange: HTTPExchange, _ response: HTTPResponse, _ metrics: Metrics, _ log: BackendLog
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
