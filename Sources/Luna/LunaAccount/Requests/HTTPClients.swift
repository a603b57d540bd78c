import LunaClient
import Synchronization

/// The ways to servers: one for this machine, one for others.
final class HTTPClients: Sendable {
  let configuration: ClientConfiguration
  private let clients = Mutex<[Bool: HTTPClient]>([:])

  init(_ configuration: ClientConfiguration) { self.configuration = configuration }

  /// A client for an address: the environment's proxy would take a token off this machine.
  func client(for address: WebAddress) throws(AccountError) -> HTTPClient {
    let isLocal = address.isLoopback && !address.isEncrypted
    do throws(HTTPError) {
      return try clients.withLock { clients throws(HTTPError) in
        if let client = clients[isLocal] { return client }
        var configuration = configuration
        if isLocal, configuration.proxy.isEmpty { configuration.proxy = "-" }
        let client = try HTTPClient(configuration)
        clients[isLocal] = client
        return client
      }
    } catch {
      throw AccountError(error)
    }
  }
}
