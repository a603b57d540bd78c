package import LunaClient
import LunaCore
import LunaCrypto
import LunaTelemetry

extension LunaAccount {
  /// How the telemetry of a program is kept and sent by who is signed in. Without a backend it is only kept.
  nonisolated var telemetry: TelemetryConfiguration {
    var telemetry = TelemetryConfiguration()
    telemetry.state = configuration.state
    telemetry.whenSignedOut = configuration.telemetryWhenSignedOut
    telemetry.isSignedIn = { [weak self] in await self?.isSignedIn() ?? false }
    if let backend = configuration.backend {
      var client = configuration.client
      client.url = backend
      telemetry.uploader = try? BackendClient(
        client, token: .provider(tokens(configuration.telemetryMode)))
    }
    return telemetry
  }

  /// Whether somebody is signed in. A credential that cannot be read now may be there all the same.
  @Sendable package nonisolated func isSignedIn() async -> Bool {
    do throws(AccountError) {
      return try await identity() != nil
    } catch {
      return true
    }
  }

  /// The tokens of a kind.
  package nonisolated func tokens(_ mode: AuthMode) -> any TokenProvider {
    TelemetryToken(account: self, mode: mode)
  }
}

/// The token with which telemetry is sent, of the kind that was asked for.
struct TelemetryToken: TokenProvider {
  /// The telemetry of a program holds on to this one for as long as the program runs.
  let account: LunaAccount
  let mode: AuthMode

  func token() async throws(BackendError) -> SecretBytes {
    do throws(AccountError) {
      return try await account.token(mode)
    } catch {
      throw BackendError(error)
    }
  }

  func renew(after refused: SecretBytes) async -> Bool { await account.renew(after: refused) }
}
