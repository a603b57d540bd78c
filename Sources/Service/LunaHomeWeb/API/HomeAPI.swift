import Bluetooth
import Diagnosis
import EventLoop
import HTTPServer
import LunaCore
import LunaCrypto
import LunaHome
import LunaJSON
import LunaShare
import LunaStore
import WebAccess

/// Answers requests: finds the endpoint, checks who calls, and reports what went wrong.
final class HomeAPI: Sendable {
  let home: LunaHome
  let accounts: HomeAccounts
  let browsers: HomeBrowsers
  let passwords = PasswordCheck()
  let challenges = PasskeyChallenges()
  /// Where else people sign in; nil for nowhere.
  let signIn: HomeSignIn?
  let streams: HomeStreams
  let objects: HomeObjects
  /// Through it goes who changes what people make, one at a time.
  let changes = Turnstile(places: 1)
  /// The map under the trackers; nil for none.
  let tiles: MBTiles?
  /// Who gives tiles where no file does.
  let tileServer: TileServer?
  let surroundings: HomeSurroundings
  /// Gives the texts of the QR codes in a picture, a line each.
  let readPicture: HomeWebServer.PictureReading
  private let configure: @Sendable (HomeFile) -> HomeConfiguration
  private let afterChange: @Sendable () async -> Void
  let logger: any Logger
  private let now: @Sendable () -> Timestamp
  private let pages: AppPages
  private let folder: HomeWebFolder?
  /// Attempts to sign in, or to use a link, by client.
  private let signIns = RateLimiter<ClientAddress>(perMinute: 10)
  /// Links that are mailed, by account.
  private let mails = RateLimiter<String>(perMinute: 1)
  private let calls = RateLimiter<String>(rate: 50, burst: 4)

  /// All endpoints.
  static let endpoints: [HomeEndpoint] = {
    let lists: [[HomeEndpoint]] = [
      SessionEndpoints.all, SelfEndpoints.all, PasskeyEndpoints.all, IssuerEndpoints.all,
      MailEndpoints.all,
      TrackerEndpoints.all, RuleEndpoints.all,
      ObjectEndpoints.all, OutboxEndpoints.all, AccountEndpoints.all, PushEndpoints.all,
      TileEndpoints.all, PlanEndpoints.all, WatchEndpoints.all, CardEndpoints.all,
      ShareEndpoints.all,
      OperationEndpoints.all, AppEndpoints.all,
    ]
    return Array(lists.joined())
  }()

  init(
    _ home: LunaHome, _ accounts: HomeAccounts, _ browsers: HomeBrowsers,
    _ surroundings: HomeSurroundings, _ logger: any Logger,
    now: @escaping @Sendable () -> Timestamp, webRoot: String? = nil, tiles: String? = nil,
    tileServer: TileServer? = nil, signIn: HomeSignIn? = nil,
    readPicture: @escaping HomeWebServer.PictureReading,
    configure: @escaping @Sendable (HomeFile) -> HomeConfiguration,
    afterChange: @escaping @Sendable () async -> Void = {}
  ) throws(CryptoError) {
    objects = HomeObjects(accounts.store)
    self.surroundings = surroundings
    self.configure = configure
    self.afterChange = afterChange
    self.readPicture = readPicture
    self.home = home
    self.accounts = accounts
    self.browsers = browsers
    self.logger = logger
    self.now = now
    streams = HomeStreams(home)
    self.tiles = tiles.map { MBTiles(path: $0) }
    self.tileServer = tileServer
    self.signIn = signIn
    folder = webRoot.map { HomeWebFolder(path: $0) }
    pages = try AppPages(
      pages: [
        "/ui/", "/ui/screens/{name}", "/ui/trackers/{id}", "/ui/sign-in", "/ui/setup", "/ui/join",
        "/ui/reset", "/ui/verify", "/ui/welcome", "/ui/about",
      ], document: "home/index.html", files: ["/ui/worker.js": "home/worker.js"],
      leavesOut: ["pages/", "events/"])
  }

  private static let table: PathTable<HomeEndpoint> = {
    var table = PathTable<HomeEndpoint>()
    for endpoint in endpoints {
      table.add(endpoint.declaration.method, endpoint.declaration.path, endpoint)
    }
    return table
  }()

  /// The endpoint that a head asks for, and what it takes; nil where there is none.
  static func limits(for head: HTTPHead) -> (name: String, limits: EndpointLimits)? {
    guard case .found(let endpoint, _) = table.find(head.method, head.path) else { return nil }
    return (endpoint.declaration.operation, endpoint.declaration.limits)
  }

  /// Answers a request.
  func answer(_ request: HTTPRequest) async -> HTTPResponse {
    do {
      try browsers.checkHost(request.head)
      if request.head.path.hasPrefix(HomeWebFolder.prefix) { return try await own(request) }
      if let page = page(request.head) { return page }
      switch HomeAPI.table.find(request.head.method, request.head.path) {
      case .found(let endpoint, let parameters):
        try request.checkBody(of: endpoint.declaration)
        let time = now()
        let caller = try await admit(request, endpoint.access, at: time)
        let response = try await endpoint.handler(
          self, HomeCall(request, endpoint, caller, parameters, at: time))
        if endpoint.declaration.method != "GET" {
          Task {
            await streams.checkRights()
            await afterChange()
          }
        }
        return response
      case .nothing: throw ProblemDocument.notFound("no endpoint has this path")
      case .otherMethods(let methods):
        var response = HTTPResponse(
          refusal: ProblemDocument(405, "method", "The endpoint has no such method."),
          request: request.id)
        response.headers.append(("Allow", methods.joined(separator: ", ")))
        return response
      }
    } catch {
      return HTTPResponse(refusal: problem(error), request: request.id)
    }
  }

  /// What is said while the keys of the trackers are sealed.
  private static let locked = ProblemDocument(
    423, "locked", "The keys of the trackers are locked.",
    detail: "an owner unlocks them with the passphrase: POST /api/v1/unlock")

  private func problem(_ error: any Error) -> ProblemDocument {
    switch error {
    case let problem as ProblemDocument: return problem
    case let error as FormatError: return .malformed(error)
    case let refusal as HomeAccountRefusal: return refusal.problem
    case let error as DeviceStoreError where error.kind == .full:
      logger.log(.ERROR, "a request failed: \(error)")
      return ProblemDocument(
        503, "diskFull", "The disk is full.", detail: "nothing can be changed until there is room",
        retryAfter: 10)
    case let error as DeviceStoreError where error.kind == .locked: return HomeAPI.locked
    case let error as ShareError: return ShareEndpoints.problem(error)
    case let rejection as ShareRejection: return ShareEndpoints.problem(rejection)
    case let error as HomeError:
      switch error.kind {
      case .notFound: return .notFound("\(error.diagnosis)")
      case .action:
        return ProblemDocument(409, "action", "This cannot be done.", detail: "\(error.diagnosis)")
      case .locked: return HomeAPI.locked
      case .storage, .state, .file, .expired: break
      }
    default: break
    }
    // What went wrong is for the log: it names files.
    logger.log(.ERROR, "a request failed: \(error)")
    return ProblemDocument(
      503, "unavailable", "The home cannot do this now.", detail: "its log says why", retryAfter: 5)
  }

  /// Notes what went wrong and is no answer.
  func note(_ error: any Diagnosed) { logger.log(.ERROR, "\(error.diagnosis)") }

  /// A file of somebody's own screens and controls, for who is signed in.
  private func own(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard ["GET", "HEAD"].contains(request.head.method) else {
      throw ProblemDocument(405, "method", "A file is only read.")
    }
    guard try await caller(request, at: now()) != nil else { throw HomeAPI.unauthorized }
    let name = String(request.head.path.dropFirst(HomeWebFolder.prefix.count))
    let asset = try await Blocking.run { [folder] () throws(CryptoError) in
      try folder?.asset(name)
    }
    guard let asset else {
      throw ProblemDocument.notFound(
        folder == nil ? "server.webRoot of the file names no folder" : "there is no such file")
    }
    return pages.response(to: request.head, own: asset, isStrict: browsers.isStrict)
  }

  private func page(_ head: HTTPHead) -> HTTPResponse? {
    if ["/setup", "/join", "/reset", "/verify"].contains(head.path) {
      var response = HTTPResponse(303, nil, [])
      response.headers.append(("Location", "/ui" + head.path))
      return response
    }
    guard AppPages.owns(head.path) else { return nil }
    return pages.response(to: head, isStrict: browsers.isStrict)
  }

  static let unauthorized = ProblemDocument(
    401, "unauthorized", "Nobody is signed in.", detail: "sign in, or send a token")

  /// Who calls; nil where nobody says who it is.
  func caller(_ request: HTTPRequest, at time: Timestamp, isNoted: Bool = true) async throws
    -> HomeCaller?
  {
    let head = request.head
    if head.first("authorization") != nil {
      // With a token, cookies are not looked at: no browser sends one by itself.
      guard let text = head.bearerToken, let token = try await accounts.token(text) else {
        throw HomeAPI.unauthorized
      }
      return HomeCaller(token)
    }
    guard let secret = browsers.secret(head),
      let (session, account) = try await accounts.session(secret, at: time), !session.needsCode
    else { return nil }
    if !["GET", "HEAD"].contains(head.method) {
      try browsers.checkOrigin(head)
      guard try CSRFToken.isRight(head.first("x-luna-csrf"), of: secret) else {
        throw HomeBrowsers.csrf
      }
    }
    // Without room for that, people go on.
    if isNoted {
      try? await accounts.note(session, at: time)
      await home.noteLook()
    }
    return HomeCaller(account, session)
  }

  private func admit(
    _ request: HTTPRequest, _ access: HomeAccess, at time: Timestamp
  ) async throws -> HomeCaller? {
    guard access != .open else { return nil }
    guard let caller = try await caller(request, at: time) else { throw HomeAPI.unauthorized }
    guard caller.may(access) else {
      if case .hidden = access {
        throw ProblemDocument.notFound("there is none, or none for who calls")
      }
      throw ProblemDocument(
        403, "forbidden", "This is not allowed to who calls.",
        detail: access == .session ? "it is for accounts in a browser" : "another role is needed")
    }
    if let seconds = calls.take(1, for: caller.name) { throw HomeAPI.tooMany(seconds) }
    return caller
  }

  /// Counts an attempt of an address to sign in.
  func checkRate(_ call: HomeCall) throws(ProblemDocument) {
    if let seconds = signIns.take(1, for: call.request.client) { throw HomeAPI.tooMany(seconds) }
  }

  /// Whether a link may be mailed to an account again.
  func mayMail(_ account: String) -> Bool { mails.take(1, for: account) == nil }

  static func tooMany(_ seconds: Int) -> ProblemDocument {
    ProblemDocument(429, "rateLimited", "Too many requests.", retryAfter: max(1, seconds))
  }

  /// Whether somebody whose call goes on still has the rights that it began with, and which; nil for none.
  /// While the storage cannot say, nobody is turned away.
  func still(_ caller: HomeCaller, _ request: HTTPRequest) async -> HomeCaller? {
    do {
      return try await self.caller(request, at: now(), isNoted: false)
    } catch is ProblemDocument {
      return nil
    } catch {
      return caller
    }
  }

  /// A tracker, where who calls may know of it.
  func tracker(_ call: HomeCall) async throws -> HomeTracker {
    let caller = try call.caller()
    let id = call.parameters["id"] ?? ""
    guard caller.sees(id), let tracker = await home.tracker(id) else {
      throw ProblemDocument.notFound("there is no such tracker")
    }
    return tracker
  }

  /// What is said before the file was read.
  static let unready = ProblemDocument(
    503, "notReady", "The home has not begun yet.", retryAfter: 1)

  /// What a file says on this machine.
  func configuration(_ file: HomeFile) -> HomeConfiguration { configure(file) }

  /// Has the home look at what people have made.
  func reload() async throws { _ = try await home.reload() }

  /// What the rules were told in a span of time.
  func inputs(from start: Int64, to end: Int64) async throws -> [String] {
    guard start < end else { return [] }
    return try await HomeDay.lines(from: accounts.store, start..<end, limit: 200_000)
  }
}
