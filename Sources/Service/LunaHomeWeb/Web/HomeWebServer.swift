import Bluetooth
import Diagnosis
import EventLoop
package import HTTPServer
package import LunaCore
import LunaCrypto
package import LunaHome
package import LunaStore
import Synchronization
import WebAccess

/// The web app of a home, and its API.
package final class HomeWebServer: Sendable {
  /// Gives the texts of the QR codes in a picture, a line each; or the bytes of one that has no text.
  package typealias PictureReading =
    @Sendable ([UInt8], _ isText: Bool) async throws -> [UInt8]

  private struct Running: Sendable {
    let listener: HTTPListener
    let api: HomeAPI
  }

  private let home: LunaHome
  private let settings: HomeServerSettings
  private let surroundings: HomeSurroundings
  private let configure: @Sendable (HomeFile) -> HomeConfiguration
  private let readPicture: PictureReading
  private let afterChange: @Sendable () async -> Void
  private let accounts: HomeAccounts
  private let logger: any Logger
  private let clock: WallClock
  private let running = Mutex<Running?>(nil)

  /// A server that does not run yet.
  ///
  /// - Parameters:
  ///   - store: where accounts are, and what people make.
  ///   - readPicture: gives the texts of the QR codes in a picture.
  ///   - configure: what a file says on this machine.
  ///   - afterChange: called after each request that may have changed something.
  package init(
    _ home: LunaHome, _ settings: HomeServerSettings, store: HomeStore,
    in surroundings: HomeSurroundings, logger: any Logger, clock: WallClock = .system,
    readPicture: @escaping PictureReading,
    configure: @escaping @Sendable (HomeFile) -> HomeConfiguration,
    afterChange: @escaping @Sendable () async -> Void = {}
  ) {
    self.home = home
    self.settings = settings
    self.surroundings = surroundings
    self.configure = configure
    self.afterChange = afterChange
    self.readPicture = readPicture
    self.logger = logger
    self.clock = clock
    accounts = HomeAccounts(store)
  }

  /// Starts to serve.
  ///
  /// - Returns: where, with the port that it got.
  package func start() async throws -> ListenAddress {
    var limits = HTTPLimits()
    limits.streams = 64
    limits.trustedProxies = settings.proxies
    // Of these two readers could take different ones.
    limits.singleHeaders += ["cookie", "origin", "host", "x-luna-csrf", "sec-fetch-site"]
    limits.endpoint = { HomeAPI.limits(for: $0) }
    let listener = HTTPListener(limits: limits) { [weak self] request in
      guard let api = self?.running.withLock({ $0?.api }) else {
        return HTTPResponse(HomeAPI.unready, request: request.id)
      }
      return await api.answer(request)
    }
    let address = try await Blocking.run { [settings] () throws(ServerError) in
      try listener.start(on: settings.listen, tls: settings.tls)
    }
    let api: HomeAPI
    do {
      api = try HomeAPI(
        home, accounts, HomeBrowsers(settings, at: address), surroundings, logger, now: clock.now,
        webRoot: settings.webRoot, tiles: settings.tiles, tileServer: await tileServer(),
        signIn: await signIn(),
        readPicture: readPicture, configure: configure, afterChange: afterChange)
    } catch {
      _ = await listener.stop(within: .seconds(5))
      throw error
    }
    await api.mindShares()
    running.withLock { $0 = Running(listener: listener, api: api) }
    return address
  }

  /// The server of map tiles that the file names; nil for none, and where it cannot be asked.
  private func tileServer() async -> TileServer? {
    guard settings.tiles == nil, let template = settings.tileURL else { return nil }
    let path = accounts.store.path
    let folder = "\(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])/tiles"
    let limit = await home.file?.setup.networkTimeout ?? 5000
    do {
      return try TileServer(template, folder: folder, within: .milliseconds(limit))
    } catch {
      logger.log(.ERROR, "there is no map: \(error)")
      return nil
    }
  }

  /// The issuer that the file names; nil for none, and where its secret cannot be read.
  private func signIn() async -> HomeSignIn? {
    guard let setup = await home.file?.setup, let issuer = setup.issuer else { return nil }
    do {
      return try await Blocking.run { () throws(HomeError) in
        try HomeSignIn(issuer, within: .milliseconds(setup.networkTimeout))
      }
    } catch {
      logger.log(.ERROR, "nobody can sign in elsewhere: \(error)")
      return nil
    }
  }

  /// Ends the streams of those who may no longer listen.
  func checkRights() async {
    await running.withLock { $0?.api }?.streams.checkRights()
  }

  /// Leads all open apps to their home screen.
  func navigateHome() { running.withLock { $0?.api }?.streams.navigateHome() }

  /// Ends: answers those that are being worked on first.
  package func stop() async {
    guard let running = running.withLock({ $0 }) else { return }
    running.listener.quiesce()
    running.api.streams.stop()
    running.api.passwords.room.close()
    _ = await running.listener.stop(within: .seconds(5))
  }
}
