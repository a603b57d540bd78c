import LunaAccount
import LunaClient
import LunaCore
import LunaStore
import LunaTelemetry

extension ClientOptions {
  /// A server that does not answer must not hold up the end of a service.
  private static let patience = Duration.seconds(10)

  /// How telemetry is kept and sent, with a connection of its own; without a backend it is only kept.
  func telemetry(
    _ options: TelemetryOptions, state directory: String
  ) throws(BackendError) -> TelemetryConfiguration {
    var telemetry = TelemetryConfiguration(state: directory)
    telemetry.whenSignedOut = options.whenSignedOut
    guard let backend else { return telemetry }
    var client = configuration(url: backend)
    client.totalTimeout = ClientOptions.patience
    var token = givenToken(directory) ?? .standard(.gateway, in: directory)
    if case .provider(let provider) = token, let account = provider as? LunaAccount {
      token = .provider(account.tokens(options.mode))
      telemetry.isSignedIn = account.isSignedIn
    }
    telemetry.uploader = try BackendClient(client, token: token)
    return telemetry
  }
}

extension TelemetryConfiguration {
  /// The usual settings, with the queue in a directory.
  init(state directory: String) {
    self.init()
    state = StateDirectory(path: directory)
    product = "luna/\(Version.text)"
  }
}
