import Bluetooth
import Diagnosis
import EventLoop
import HTTPServer
public import Luna
import LunaCore
import LunaCrypto
public import LunaHome
import LunaNotify
import LunaStore
import Synchronization
import WebAccess

/// A home within a program of one's own: its file, its rules, its messages, its app and its API.
///
/// ```swift
/// let application = LunaApplication.shared
/// application.register(Freezer.self, as: "Freezer")
/// let problems = try await application.loadConfiguration("home.json")
/// try await application.start()
/// for await event in application.events { print(event) }
/// ```
///
/// Radio, backend and directory are those of the settings, not of the file. The order is: register, load, start;
/// what comes too early fails with ``LunaHome/HomeError`` of kind `state`.
public final class LunaApplication: Sendable {
  /// With the usual settings.
  public static let shared = LunaApplication(LunaSettings())

  private struct Running: Sendable {
    let home: LunaHome
    let server: HomeWebServer?
    let accounts: HomeAccounts
    let watch: SessionWatch
    let following: Task<Void, Never>
  }

  private struct State {
    var classes: [String: any HomeDevice.Type] = [:]
    var path: String?
    var file: HomeFile?
    var configuration: HomeConfiguration?
    var isStarting = false
    var running: Running?
    var address: String?
    /// What people have made; opened once.
    var store: HomeStore?
  }

  private let luna: Luna
  private let settings: LunaSettings
  private let parts: ApplicationParts
  private let state = Mutex(State())
  private let followers = Listeners<HomeEvent>(keeping: 1024)

  /// A home that does not run yet.
  public convenience init(_ settings: LunaSettings) {
    self.init(
      settings,
      ApplicationParts(
        read: { path in
          try await Blocking.run { () throws(HomeError) in try HomeFile.read(path) }
        }, logger: { _ in settings.logger }))
  }

  package init(_ settings: LunaSettings, _ parts: ApplicationParts) {
    self.settings = settings
    self.parts = parts
    luna = Luna(settings)
  }

  /// Makes a class of devices known under the name that `devices[].class` of the file says. It counts from the next
  /// file that is loaded.
  public func register(_ type: any HomeDevice.Type, as name: String) {
    state.withLock { $0.classes[name] = type }
  }

  /// Reads a file. While the home runs, it holds from the next input on; where it has errors, the one before holds.
  ///
  /// - Throws: ``LunaHome/HomeError`` of kind `file` where it cannot be read.
  /// - Returns: what is wrong in it.
  public func loadConfiguration(_ path: String) async throws(HomeError) -> [Problem] {
    let old = state.withLock { state in
      defer { state.path = path }
      return state.path
    }
    do {
      if let home = state.withLock({ $0.running?.home }) { return try await home.reload() }
      let loaded = try await read(path)
      return loaded.file.problems
    } catch {
      state.withLock { $0.path = old }
      throw HomeError(.file, (error as? any Diagnosed)?.reason ?? "\(error)")
    }
  }

  /// What the machine is asked, with the classes that are known here.
  private var surroundings: HomeSurroundings {
    var surroundings = HomeSurroundings.ofThisMachine
    surroundings.classes.formUnion(state.withLock { $0.classes.keys })
    return surroundings
  }

  private func read(_ path: String) async throws -> LoadedHome {
    let bytes = try await parts.read(path)
    let loaded = try await merged(HomeFile(bytes, in: surroundings))
    let isNews = state.withLock { state in
      if loaded.file.isUsable {
        state.file = loaded.file
        state.configuration = loaded.configuration
      }
      // What was loaded is read once more at the start.
      return !state.isStarting
    }
    guard isNews else { return loaded }
    for problem in loaded.file.problems { tell(.problem(problem)) }
    if loaded.file.isUsable { tell(.configured) }
    return loaded
  }

  /// What a file says together with what people have made in the app.
  private func merged(_ file: HomeFile) async throws -> LoadedHome {
    guard file.isUsable, let store = try? await openStore() else {
      return LoadedHome(file: file, configuration: .ofThisMachine(file))
    }
    let (merged, leftOut) = try await HomeObjects(store).fitting(file, in: surroundings)
    if let leftOut { parts.warn(leftOut) }
    return LoadedHome(file: file, configuration: .ofThisMachine(merged), leftOut: leftOut)
  }

  private func openStore() async throws -> HomeStore {
    if let store = state.withLock({ $0.store }) { return store }
    let store = try await HomeStore.beside(in: try settings.state ?? .standard())
    state.withLock { $0.store = store }
    return store
  }

  /// Begins: radio, backend, broker and messages as the file says, and the app where it can be served.
  ///
  /// - Throws: ``LunaHome/HomeError`` of kind `state` where no file holds or it runs already, and `storage` where
  ///   another home runs in the same directory, or nothing can be kept.
  public func start() async throws(HomeError) {
    do {
      try await begin()
    } catch let error as HomeError {
      throw error
    } catch {
      throw HomeError(.storage, (error as? any Diagnosed)?.reason ?? "\(error)")
    }
  }

  /// The same, with the errors as they are.
  ///
  /// - Returns: the home, and what changes in it from its beginning on.
  @discardableResult
  package func begin() async throws -> (home: LunaHome, changes: AsyncStream<HomeChange>) {
    let file = try state.withLock { state throws(HomeError) -> HomeFile in
      guard state.running == nil, !state.isStarting else {
        throw HomeError(.state, "the home runs already")
      }
      guard let file = state.file else {
        throw HomeError(.state, "no file holds", remedy: "load one without errors first")
      }
      state.isStarting = true
      return file
    }
    defer { state.withLock { $0.isStarting = false } }
    let store = try await openStore()
    let logger = parts.logger(file)
    let home = luna.home(try homeSettings(logger))
    let (changes, others) = (await home.changes(), await home.changes())
    try await home.start()
    let accounts = HomeAccounts(store)
    let watch = SessionWatch(accounts, settings.clock) { [weak self] in self?.tell($0) }
    await watch.look()
    let server = await serve(home, file, store, watch, logger)
    let following = Task { [weak self] in
      for await change in changes { await self?.tell(change, of: home) }
    }
    state.withLock {
      $0.running = Running(
        home: home, server: server, accounts: accounts, watch: watch, following: following)
    }
    return (home, others)
  }

  private func homeSettings(_ logger: any Logger) throws -> HomeSettings {
    var settings = HomeSettings(state: try settings.state ?? .standard()) { [weak self] in
      guard let self, let path = state.withLock({ $0.path }) else {
        throw HomeError(.state, "no file holds")
      }
      return try await read(path)
    }
    settings.logger = logger
    settings.classes = state.withLock { $0.classes }
    settings.isSimulated = parts.isSimulated
    guard !parts.isSimulated else { return settings }
    settings.makeOutbox = { store, notifications in
      try await NotifyOutbox(store, notifications) { news in
        switch news {
        case .failed(let reason): logger.log(.ERROR, "somebody was not told: \(reason)")
        case .unrecorded(let reason):
          logger.log(.ERROR, "what people are told cannot be noted: \(reason)")
        case .recorded: logger.log(.INFO, "what people are told can be noted again")
        }
      }
    }
    return settings
  }

  /// Serves the app. A home without its app still works: it goes on where the address is taken.
  private func serve(
    _ home: LunaHome, _ file: HomeFile, _ store: HomeStore, _ watch: SessionWatch,
    _ logger: any Logger
  ) async -> HomeWebServer? {
    do {
      let settings = try HomeServerSettings(file["server"])
      let server = HomeWebServer(
        home, settings, store: store, in: surroundings, logger: logger,
        readPicture: parts.readPicture, configure: HomeConfiguration.ofThisMachine,
        afterChange: { await watch.look() })
      let address = try await server.start()
      let own = PublicURL(isSecure: settings.tls != nil, host: address.host, port: address.port)
      let url = (settings.publicURL ?? own).description
      state.withLock { $0.address = url }
      do {
        try await HomeObjects(store).note(address: url)
      } catch {
        logger.log(
          .ERROR, "links made beside the home may lead elsewhere than to the app: \(error)")
      }
      return server
    } catch {
      parts.warn(
        "there is no app: \((error as? any Diagnosed)?.diagnosis.description ?? "\(error)")")
      return nil
    }
  }

  /// Ends: what was begun is noted, what is to be kept is kept, and the radio is let go. It can be started again.
  public func stop() async {
    let running = state.withLock { state in
      defer {
        state.running = nil
        state.address = nil
      }
      return state.running
    }
    await running?.server?.stop()
    await running?.home.stop()
    await running?.following.value
  }

  /// What the file says that holds; nil before one does.
  public var configuration: HomeConfiguration? { state.withLock { $0.configuration } }

  /// The file that holds, as it was read; nil before one does.
  public var file: HomeFile? { state.withLock { $0.file } }

  /// Where the app is, as `http://127.0.0.1:8470`; nil before the start, and where there is none.
  public var address: String? { state.withLock { $0.address } }

  /// The trackers of the home; its functions throw until it runs.
  public var devices: DeviceManager {
    DeviceManager { [self] () throws(HomeError) in try running().home }
  }

  /// Who is signed in to the app.
  public var sessions: SessionManager {
    SessionManager(settings.clock) { [self] () throws(HomeError) in try running().accounts }
  }

  private func running() throws(HomeError) -> Running {
    guard let running = state.withLock({ $0.running }) else {
      throw HomeError(.state, "the home does not run", remedy: "start it first")
    }
    return running
  }

  /// Whether nobody has made an account yet.
  package func isWithoutAccount() async throws -> Bool { try await running().accounts.isEmpty() }

  /// A link with which somebody makes the first account, good for 10 minutes; nil where there is an account.
  ///
  /// - Throws: ``LunaHome/HomeError`` of kind `state` before the start, and `storage`.
  public func firstAccountLink() async throws(HomeError) -> String? {
    let running = try running()
    guard let address else { throw HomeError(.state, "there is no app") }
    do {
      guard try await running.accounts.isEmpty() else { return nil }
      let secret = try await running.accounts.setupLink(
        at: settings.clock.now(), isBesideOthers: true)
      return "\(address)/setup#\(secret.text)"
    } catch {
      throw HomeError(.storage, (error as? any Diagnosed)?.reason ?? "\(error)")
    }
  }

  /// A browser has the session that ``SessionManager/begin(for:agent:)`` began.
  ///
  /// - Throws: ``LunaHome/HomeError`` of kind `state` for one that has ended, or before the start.
  public func signInComplete(_ session: Session) async throws(HomeError) {
    let running = try running()
    guard try await sessions.all().contains(where: { $0.id == session.id }) else {
      throw HomeError(.state, "the session of \(session.account) has ended")
    }
    await running.watch.look()
  }

  /// Ends a session: who has it is signed out at once. Nothing happens where it has ended.
  public func sessionClosed(_ id: SessionID) async {
    guard let running = try? running() else { return }
    try? await running.accounts.end(id.description)
    await running.server?.checkRights()
    await running.watch.look()
  }

  /// Leads all open apps to their home screen.
  public func navigateHome() { state.withLock { $0.running?.server }?.navigateHome() }

  /// What happens from now on. Who is slow gets the last 1,024.
  public var events: AsyncStream<HomeEvent> { followers.makeStream() }

  /// Tells somebody what happens, for as long as they are there: they are held weakly.
  public func add(_ listener: any HomeListener) {
    let events = followers.makeStream()
    Task { [weak self, weak listener] in
      for await event in events {
        guard let self, let listener else { return }
        await listener.home(self, told: event)
      }
    }
  }

  private func tell(_ event: HomeEvent) { followers.tell(event) }

  private func tell(_ change: HomeChange, of home: LunaHome) async {
    switch change.event {
    case .value(let id, _), .tracker(let id):
      if let tracker = await home.tracker(id) { tell(.trackerChanged(tracker)) }
    case .firing(let firing): tell(.fired(firing))
    case .watch(let suspect): tell(.suspect(suspect))
    case .link("radio", let link): tell(.radio(link))
    case .link("backend", let link): tell(.backend(link))
    default: break
    }
  }
}
