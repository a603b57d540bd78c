import CommandSpec
import LunaAccount
import LunaClient
import LunaCore
import LunaStore

/// Options of commands that talk to a backend.
struct ClientOptions: Sendable {
  var backend: String?
  var tokenFile: String?
  var certificates: String?
  var proxy = ""
  var allowsInsecure = false
  /// The profile of who is signed in; nil for a token.
  var profile: String?
  /// When a sign-in is over.
  var refusal = AccountConfiguration.Refusal.lenient
  /// What is run when somebody signs in or out.
  var onChange: String?

  /// - Parameters:
  ///   - signsIn: whether somebody who is signed in may stand in for a token.
  ///   - lasts: whether the command runs on, and a sign-in may end meanwhile.
  static func group(
    _ role: TokenSource.Role, signsIn: Bool = false, lasts: Bool = false
  ) -> OptionGroup<ClientOptions> {
    let signIn = Option<ClientOptions>.value(
      "sign-in", "[PROFILE]", "Use the token of who has signed in with luna login", \.profile,
      AccountOptions.profileReader
    ).implying(AccountOptions.standardProfile)
    let refusal = Option<ClientOptions>.value(
      AccountOptions.refusalName, "RULE", "With --sign-in: when it is over without luna logout",
      \.refusal, AccountOptions.refusalReader
    ).defaulting(to: "lenient")
    let change = Option<ClientOptions>.value(
      "account-on-change", "COMMAND",
      "With --sign-in: run COMMAND by sh at first, and when somebody signs in or out, with "
        + "LUNA_SIGNED_IN 1 or 0", \.onChange, .text)
    let more = (signsIn ? [signIn, refusal] : []) + (lasts ? [change] : [])
    return OptionGroup(
      "Backend",
      [
        .value("backend", "URL", "The backend, https://HOST[:PORT]", \.backend, .text),
        .value(
          "token-file", "FILE", "Read the token of this \(role.rawValue) from FILE", \.tokenFile,
          .file
        ).defaulting(
          to: "the credential \(role.credential) of systemd, else \(role.tokenFile) in the "
            + "state directory"),
        .value(
          "ca-file", "FILE", "Trust the certificates in FILE (PEM) instead of the system's",
          \.certificates, .file),
        .value(
          "proxy", "URL", "Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none",
          \.proxy, .text
        ).defaulting(to: "as the environment says"),
        .flag(
          "allow-plain-http",
          "Allow plain http to other machines: anybody on the network path can read the token",
          \.allowsInsecure),
      ] + more, exclusive: signsIn ? [["token-file", "sign-in"]] : []
    ).fromEnvironment("LUNA")
  }

  /// A client; nil when no backend is named.
  func makeClient(_ role: TokenSource.Role, state: String) throws(BackendError) -> BackendClient? {
    guard let backend else { return nil }
    return try BackendClient(configuration(url: backend), token: token(role, state))
  }

  /// How a backend is reached.
  func configuration(url: String) -> ClientConfiguration {
    var configuration = ClientConfiguration(url: url)
    configuration.allowsInsecure = allowsInsecure
    configuration.proxy = proxy
    configuration.certificateAuthorities = certificates
    configuration.userAgent = "luna/\(Version.text)"
    return configuration
  }

  private func token(_ role: TokenSource.Role, _ state: String) -> TokenSource {
    givenToken(state) ?? .standard(role, in: state)
  }

  /// The token that was asked for; nil for that of the role.
  ///
  /// - Parameter tellsChanges: whether who signs in or out is told. One of several of a program is to.
  func givenToken(_ state: String, tellsChanges: Bool = false) -> TokenSource? {
    guard let profile else { return tokenFile.map { .file($0) } }
    var settings = AccountConfiguration()
    settings.backend = backend
    settings.profile = profile
    settings.refusal = refusal
    settings.state = StateDirectory(path: state)
    settings.client = configuration(url: "")
    if tellsChanges { settings.onChange = onChange }
    return .provider(LunaAccount(clientID: AccountOptions.standardClient, settings))
  }
}
