import CommandSpec
import Glibc
import LunaClient
import LunaCore

/// Options of commands that talk to a backend.
struct ClientOptions: Sendable {
  /// As whom.
  enum Role: String, Sendable {
    case gateway, owner

    /// The file in the state directory that holds the token.
    var tokenFile: String { "\(rawValue).token" }

    /// The name of the credential of systemd that holds the token.
    var credential: String { "luna.\(rawValue)-token" }
  }

  var backend: String?
  var tokenFile: String?
  var certificates: String?
  var proxy = ""
  var allowsInsecure = false

  static func group(_ role: Role) -> OptionGroup<ClientOptions> {
    OptionGroup(
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
          "ca-file", "FILE", "Trust the certificates of FILE (PEM) instead of the system's",
          \.certificates, .file),
        .value(
          "proxy", "URL", "Go through a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none",
          \.proxy, .text
        ).defaulting(to: "what the environment says"),
        .flag(
          "allow-plain-http",
          "Let plain http go to other machines: everybody on the way can read "
            + "the token", \.allowsInsecure),
      ])
  }

  /// A client; nil when no backend is named.
  func makeClient(_ role: Role, state: String) throws(BackendError) -> BackendClient? {
    guard let backend else { return nil }
    var configuration = ClientConfiguration(url: backend)
    configuration.allowsInsecure = allowsInsecure
    configuration.proxy = proxy
    configuration.certificateAuthorities = certificates
    configuration.userAgent = "luna/\(Version.text)"
    return try BackendClient(configuration, token: token(role, state))
  }

  private func token(_ role: Role, _ state: String) -> TokenSource {
    if let tokenFile { return .file(tokenFile) }
    if let directory = getenv("CREDENTIALS_DIRECTORY"),
      access(String(cString: directory) + "/" + role.credential, R_OK) == 0
    {
      return .credential(role.credential)
    }
    return .file("\(state)/\(role.tokenFile)")
  }
}
