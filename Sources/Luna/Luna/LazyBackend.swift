import Bluetooth
import Diagnosis
import LunaClient
import LunaCore
import LunaOwner
import LunaProtocol
import Synchronization

/// The owner's backend, reached for when it is needed: an address that is missing or wrong is told
/// then.
final class LazyBackend: OwnerBackend {
  private let settings: LunaSettings
  private let client = Mutex<BackendClient?>(nil)

  init(_ settings: LunaSettings) { self.settings = settings }

  private func reached() throws(BackendError) -> BackendClient {
    try client.withLock { client throws(BackendError) in
      if let client { return client }
      guard let new = try settings.makeClient(settings.backend, .owner) else {
        throw BackendError(
          .address, "no backend is named", remedy: "set LunaSettings.backend to https://HOST[:PORT]"
        )
      }
      client = new
      return new
    }
  }

  /// Asks whether it is there, without a token.
  func reach(within limit: Duration) async throws(BackendError) {
    try await reached().reach(within: limit)
  }

  func events(_ query: EventQuery) async throws(BackendError) -> EventPage {
    try await reached().events(query)
  }

  func submit(
    _ packages: [ControlPackage], expiresAt: Timestamp
  ) async throws(BackendError) -> CommandStatus {
    try await reached().submit(packages, expiresAt: expiresAt)
  }

  func status(
    of requestID: String, within limit: Duration?
  ) async throws(BackendError) -> CommandStatus {
    try await reached().status(of: requestID, within: limit)
  }

  func commands() async throws(BackendError) -> [CommandStatus] {
    try await reached().commands()
  }

  func cancel(
    _ requestID: String, within limit: Duration?
  ) async throws(BackendError) -> CommandStatus {
    try await reached().cancel(requestID, within: limit)
  }
}
