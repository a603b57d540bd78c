import HTTPServer
import LunaBackend
import LunaCore
import LunaCrypto
import Synchronization

/// A backend on loopback that can be taken away and brought back.
final class DemoBackend: Sendable {
  private let path: String
  private let clock: WallClock
  private let server = Mutex<BackendServer?>(nil)
  private let port = Mutex<UInt16>(0)

  init(path: String, clock: WallClock) {
    self.path = path
    self.clock = clock
  }

  /// Where it serves, once it has begun.
  var address: String { "127.0.0.1:\(port.withLock { $0 })" }

  private func open() async throws -> any Storage {
    let storage = try StorageLocation.sqlite(path).open()
    try await storage.migrate()
    return storage
  }

  /// Begins to serve; where it did before, if it did.
  func start() async throws {
    var configuration = BackendConfiguration()
    configuration.listen = ListenAddress(host: "127.0.0.1", port: port.withLock { $0 })
    configuration.now = clock.now
    let server = BackendServer(configuration, storage: try await open())
    let address = try await server.start()
    port.withLock { $0 = address.port }
    self.server.withLock { $0 = server }
  }

  /// Ends, as in an outage.
  func stop() async {
    let server = server.withLock { server in
      defer { server = nil }
      return server
    }
    await server?.stop()
  }

  /// Makes a token; to be called while the server does not run.
  func token(_ role: TokenRole, _ name: String) async throws -> SecretBytes {
    let storage = try await open()
    let token = try AccessToken(role)
    try await storage.add(try token.record(name: name, at: clock.now()))
    await storage.close()
    return SecretBytes(copying: Array(token.text.utf8).span)
  }
}
