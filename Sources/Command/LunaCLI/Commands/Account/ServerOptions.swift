import CommandSpec
import LunaClient

/// How an issuer is reached.
struct ServerOptions: Sendable {
  var certificates: String?
  var proxy = ""

  static var group: OptionGroup<ServerOptions> {
    OptionGroup(
      "Connection",
      [
        .value(
          "ca-file", "FILE", "Trust the certificates in FILE (PEM) instead of the system's",
          \.certificates, .file),
        .value(
          "proxy", "URL", "Use a proxy (http://HOST:PORT, socks5h://HOST:PORT); - for none",
          \.proxy, .text
        ).defaulting(to: "as the environment says"),
      ]
    ).fromEnvironment("LUNA")
  }

  var configuration: ClientConfiguration {
    var options = ClientOptions()
    options.certificates = certificates
    options.proxy = proxy
    return options.configuration(url: "")
  }
}
