import Bluetooth
import Diagnosis
import HTTPServer
import LunaCore
import LunaCrypto
import LunaFleet
import LunaJSON
import WebAccess

/// Answers requests: finds the endpoint, checks who calls, and reports what went wrong.
final class API: Sendable {
  let configuration: BackendConfiguration
  let storage: any Storage
  let metrics: Metrics
  let log: BackendLog
  let agreed: AgreedLimits
  let events: RateLimiter<String>
  let heids: HeidLimiter
  let touches = GatewayTouches()
  let waiting = WaitingHeids()
  let probe = StorageProbe()
  let outage: StorageOutage
  /// Wrong codes by client. Guessing 128 random bits is hopeless; this keeps attempts from costing
  /// much.
  let wrongCodes: RateLimiter<ClientAddress>
  /// Offers of gateways whose label somebody may scan, by client and in all.
  let offers: RateLimiter<ClientAddress>
  let allOffers: RateLimiter<String>
  let fleet: FleetStore
  let directory: FleetDirectory
  let signs: FleetSigns
  let monitor: FleetMonitor
  let streams: FleetStreams
  let history: DashboardHistory
  let preferences: PreferenceStore
  /// Codes for programs that want to be signed in, by client.
  let deviceCodes: RateLimiter<ClientAddress>
  let issuer: OwnIssuer
  let wrongUserCodes: WrongUserCodes
  let foreign: ForeignTokens
  let foreignSignIns: ForeignSignIns
  /// Attempts to sign in, or to use a link, by client.
  let signIns: RateLimiter<ClientAddress>
  /// Failed attempts that the history takes.
  let auditedFailures: RateLimiter<String>
  let passwords: PasswordCheck
  let accounts: AccountStore
  let browsers: BrowserGuard
  /// Pictures whose codes somebody wants to be read.
  let pictures: RateLimiter<String>
  /// Searches among gateways, by who searches.
  let searches: RateLimiter<String>
  /// Pictures of gateways and devices that somebody sends.
  let sentPictures: RateLimiter<String>
  private let calls: RateLimiter<String>
  private let gatekeeper: Gatekeeper
  private let console: Result<Console, CryptoError>

  /// How many seconds' worth of events and requests may come at once.
  private static let (eventBurst, callBurst) = (20.0, 4.0)

  /// All endpoints.
  static let endpoints: [Endpoint] =
    [
      UploadEndpoint.declaration, ConfirmEndpoint.declaration, QueryEndpoint.declaration,
      TelemetryEndpoint.declaration,
    ] + CommandEndpoints.declarations + GatewayEndpoints.declarations
    + FleetEndpoints.declarations + FleetDeviceEndpoints.declarations
    + [FleetSampleEndpoint.declaration] + FleetChangeEndpoints.declarations
    + FleetPictureEndpoints.declarations
    + SessionEndpoints.declarations + ForeignSignInEndpoints.declarations
    + LinkEndpoints.declarations + SelfEndpoints.declarations
    + AccountEndpoints.declarations + TokenEndpoints.declarations
    + SettingEndpoints.declarations + TileEndpoint.declarations + OperationEndpoints.declarations
    + [StreamEndpoint.declaration, DashboardEndpoint.declaration] + UplinkEndpoint.declarations
    + PreferenceEndpoints.declarations
    + IdentityEndpoints.declarations + IssuerEndpoints.declarations + SignInEndpoints.declarations

  init(
    _ configuration: BackendConfiguration, _ storage: any Storage, _ metrics: Metrics,
    _ log: BackendLog, _ outage: StorageOutage, _ browsers: BrowserGuard
  ) {
    self.configuration = configuration
    self.storage = storage
    self.metrics = metrics
    self.log = log
    self.outage = outage
    agreed = AgreedLimits(configuration)
    let count = max(1, configuration.processes)
    events = RateLimiter(rate: configuration.eventsPerSecond, burst: API.eventBurst, of: count)
    heids = HeidLimiter(
      limit: configuration.eventsPerHeidAndHour, isShared: storage.isShared)
    calls = RateLimiter(rate: configuration.requestsPerSecond, burst: API.callBurst, of: count)
    wrongCodes = RateLimiter(rate: 1, burst: 10, of: count)
    offers = RateLimiter(rate: 1, burst: 4, of: count)
    allOffers = RateLimiter(rate: 100, burst: 1, of: count)
    deviceCodes = RateLimiter(perMinute: 10, of: count)
    signIns = RateLimiter(perMinute: 10, of: count)
    auditedFailures = RateLimiter(perMinute: 60, of: count)
    pictures = RateLimiter(rate: 8, burst: 1, of: count)
    searches = RateLimiter(rate: 20, burst: 1, of: count)
    sentPictures = RateLimiter(perMinute: 30, of: count)
    let alarm = Alarm()
    fleet = FleetStore(storage: storage) { alarm.ring() }
    directory = FleetDirectory(fleet)
    signs = FleetSigns(storage, since: configuration.now(), limits: configuration.health)
    monitor = FleetMonitor(signs, directory)
    streams = FleetStreams(
      fleet, monitor, alarm: alarm, outage: outage, now: configuration.now)
    history = DashboardHistory(storage)
    preferences = PreferenceStore(storage: storage)
    issuer = OwnIssuer(storage: storage)
    wrongUserCodes = WrongUserCodes(storage: storage)
    accounts = AccountStore(storage)
    passwords = PasswordCheck(
      failures: SignInFailureRows(storage: storage, now: configuration.now))
    self.browsers = browsers
    foreign = ForeignTokens(
      configuration.issuers, configuration.issuerClient, log,
      now: { [now = configuration.now] in now().microseconds / 1_000_000 })
    foreignSignIns = ForeignSignIns(configuration.issuers, configuration.issuerClient, foreign)
    gatekeeper = Gatekeeper(storage, browsers, foreign, isDemo: configuration.isDemo)
    console = Result { () throws(CryptoError) in try Console() }
  }

  /// Who shows a token with a request, as a name, where that is a gateway, an owner or an account. A cookie does not
  /// count: what is asked for is no page.
  func holder(_ request: HTTPRequest) async -> String? {
    guard request.head.first("authorization") != nil,
      let caller = try? await gatekeeper.caller(
        request, at: configuration.now(), isNoted: false),
      caller.may(.holder), (try? await isRemoved(caller)) == false
    else { return nil }
    return caller.label
  }

  private static let table: PathTable<Endpoint> = {
    var table = PathTable<Endpoint>()
    for endpoint in endpoints { table.add(endpoint.method, endpoint.path, endpoint) }
    return table
  }()

  /// The endpoint that a head asks for, and the parameters in its path.
  ///
  /// - Throws: 404, or 405 when the path is there for other methods.
  static func endpoint(for head: HTTPHead) throws(ProblemDocument) -> (Endpoint, [String: String]) {
    switch table.find(head.method, head.path) {
    case .found(let endpoint, let parameters): return (endpoint, parameters)
    case .otherMethods:
      throw ProblemDocument(405, "method", "The endpoint has no such method.")
    case .nothing: throw .notFound("no endpoint has this path")
    }
  }

  /// The methods of a path, for the header Allow.
  private static func methods(of path: Substring) -> String {
    guard case .otherMethods(let methods) = table.find("", path) else { return "" }
    return methods.joined(separator: ", ")
  }

  /// Goes by what the processes on the storage have agreed on by now.
  func follow() async {
    let (began, operation) = (ContinuousClock.now, "readSettings")
    do throws(StorageError) {
      let new = try await storage.sharedSettings()
      let today = Day(configuration.now())
      // A longer one has its days before it holds.
      if let days = new[.retention], days > agreed[.retention] {
        try await storage.makeRoom(for: today + -Int32(clamping: days)...today)
      }
      for (setting, value) in agreed.take(new) {
        switch setting {
        case .eventsPerSecond: events.change(rate: value, burst: API.eventBurst)
        case .requestsPerSecond: calls.change(rate: value, burst: API.callBurst)
        case .eventsPerIdentifier: heids.change(limit: value)
        case .retention, .openCommands: break
        }
        log.line(
          .info, "a setting that all share was changed",
          ["setting": .string(setting.rawValue), "value": .integer(Int64(value))])
      }
      outage.worked(operation)
    } catch {
      outage.failed(error, operation, since: began)
    }
  }

  /// Tells the other processes on the storage what this one took of identifiers that are much asked for, and hears
  /// what they took.
  func shareCounts() async {
    guard let news = heids.news() else { return }
    let (began, operation) = (ContinuousClock.now, "shareCounts")
    do throws(StorageError) {
      let sums = try await storage.share(news.additions, inHour: news.hour)
      heids.hear(sums, inHour: news.hour)
      outage.worked(operation)
    } catch {
      outage.failed(error, operation, since: began)
    }
  }

  /// Hears for which identifiers other processes on the storage have taken commands.
  func readCommands(at moment: ContinuousClock.Instant = .now) async {
    let (began, operation) = (ContinuousClock.now, "readCommands")
    do throws(StorageError) {
      try await waiting.read(storage, at: configuration.now(), moment)
      outage.worked(operation)
    } catch {
      outage.failed(error, operation, since: began)
    }
  }

  /// Answers a request, in time.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    await StoragePatience.within(StoragePatience.request) { await reply(to: request) }
  }

  private func reply(to request: HTTPRequest) async -> HTTPResponse {
    let began = ContinuousClock.now
    var operation = ""
    do {
      if let page = try await page(request.head) { return page }
      let (endpoint, parameters) = try API.endpoint(for: request.head)
      operation = endpoint.operation
      try request.checkBody(of: endpoint.declaration)
      let time = configuration.now()
      let caller = try await admit(request, endpoint, at: time)
      let call = APICall(
        request: request, endpoint: endpoint, caller: caller, parameters: parameters, time: time,
        began: began)
      let response = try await endpoint.handler(self, call)
      outage.worked(operation)
      if endpoint.mayEndRights { Task { await streams.checkRights() } }
      return response
    } catch let problem as ProblemDocument {
      var response = HTTPResponse(refusal: problem, request: request.id)
      if problem.status == 405 {
        response.headers.append(("Allow", API.methods(of: request.head.path)))
      }
      return response
    } catch let error as FormatError {
      return HTTPResponse(refusal: .malformed(error), request: request.id)
    } catch let error as FleetError {
      return HTTPResponse(refusal: ProblemDocument(error), request: request.id)
    } catch let errors as FieldErrors {
      return HTTPResponse(refusal: ProblemDocument(errors), request: request.id)
    } catch FleetFailure.refused(let refusal) {
      let known = await status(of: refusal.gateway)
      return HTTPResponse(refusal: refusal.problem(known), request: request.id)
    } catch FleetFailure.storage(let error) {
      return failed(error, operation, request, since: began)
    } catch let error as OAuthError {
      return error.response
    } catch let error as StorageError {
      return failed(error, operation, request, since: began)
    } catch {
      log.line(.error, "\(error)", ["requestId": .string(request.id)])
      return HTTPResponse(
        ProblemDocument(500, "internal", "The server failed."), request: request.id)
    }
  }

  /// How a gateway is; as if it had never told where that cannot be read.
  func status(of gateway: Gateway?) async -> GatewayStatus {
    guard let gateway,
      let statuses = try? await signs.statuses(of: gateway.key, at: configuration.now())
    else { return GatewayStatus() }
    return statuses.status(of: gateway)
  }

  private func failed(
    _ error: StorageError, _ operation: String, _ request: HTTPRequest,
    since began: ContinuousClock.Instant
  ) -> HTTPResponse {
    var response = HTTPResponse(ProblemDocument(error), request: request.id)
    if error.kind == .limit {
      log.line(.info, error.description, ["requestId": .string(request.id)])
    } else {
      outage.failed(error, operation, since: began)
      response.isExplained = true
    }
    return response
  }

  /// A page of the console, or one of its files; nil where a request is for something else.
  private func page(_ head: HTTPHead) async throws -> HTTPResponse? {
    guard AppPages.owns(head.path) else { return nil }
    let url = try browsers.place()
    try browsers.checkHost(head)
    // Pages come without tiles while the storage is away; that does not keep them.
    let tiles = AppPages.isDocument(head) ? (try? await accounts.tiles()) ?? [] : []
    return try console.get().response(
      to: head, isStrict: url.isSecure && url.port == 443, tiles: Set(tiles.map(\.source.origin)))
  }

  /// Who calls an endpoint that is open to everybody.
  func caller(_ request: HTTPRequest, at time: Timestamp) async throws -> Caller? {
    try await gatekeeper.caller(request, at: time)
  }

  /// Whether somebody whose call goes on still has the rights that it began with. While the storage cannot
  /// say, nobody is turned away.
  func isStill(_ caller: Caller?, _ request: HTTPRequest) async -> Bool {
    do {
      let now = try await gatekeeper.caller(request, at: configuration.now(), isNoted: false)
      guard let caller, let now else { return caller == nil }
      return now.label == caller.label && (now.rights ?? .viewer) >= (caller.rights ?? .viewer)
    } catch let problem as ProblemDocument {
      return problem.status >= 500
    } catch {
      return true
    }
  }

  /// Whether it is a gateway whose tokens are not good until its removal is undone.
  private func isRemoved(_ caller: Caller) async throws(StorageError) -> Bool {
    guard caller.kind == .token(.gateway) else { return false }
    return try await fleet.standing(of: caller.name) == .removed
  }

  private func admit(
    _ request: HTTPRequest, _ endpoint: Endpoint, at time: Timestamp
  ) async throws -> Caller? {
    try await admit(request, to: endpoint.access, operation: endpoint.operation, at: time)
  }

  /// Who calls, where an endpoint or a part of one is for it.
  func admit(
    _ request: HTTPRequest, to access: Access, operation: String, at time: Timestamp
  ) async throws -> Caller? {
    guard access != .open else { return nil }
    guard let caller = try await gatekeeper.caller(request, at: time) else {
      throw ProblemDocument.unauthorized
    }
    guard caller.may(access) else { throw ProblemDocument.forbidden(access) }
    if try await isRemoved(caller) {
      throw ProblemDocument(
        403, "gatewayRemoved", "This gateway was removed.",
        detail: "its token is good again when the removal is undone")
    }
    // Uploads are limited by their events.
    if operation != UploadEndpoint.operation,
      let seconds = calls.take(1, for: caller.label)
    {
      throw ProblemDocument.tooMany(seconds)
    }
    return caller
  }
}
