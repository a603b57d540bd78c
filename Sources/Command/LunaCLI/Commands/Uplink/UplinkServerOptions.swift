import CommandSpec
import Glibc
import LunaClient
import LunaUplink
import UplinkProtocol

/// By which server a check is made, and how it is reached.
struct UplinkServerOptions: Sendable {
  var server: UplinkServer?
  var authorities: String?
  var checksName = true
  var isPlain = false
  var ports: [UInt16] = [55_555, 55_556, 56_565, 56_566]
  var locateURL: String?
  var site: String?
  var tokenFiles: [String] = []
  var backend: String?

  static var group: OptionGroup<UplinkServerOptions> {
    OptionGroup(
      "Server",
      [
        .value(
          "server", "SERVER",
          "A server of luna uplink serve, https://HOST[:PORT]; one of Wehe's, wehe:HOST, or M-Lab's, mlab",
          \.server, UplinkServer.reader),
        .value(
          "backend", "URL", "The backend, https://HOST[:PORT]: the server where none is named",
          \.backend, .text
        ).fromEnvironment("LUNA_BACKEND"),
        .repeated(
          "token-file", "FILE",
          "Read the token of this gateway, or for the server, from FILE; twice for a pair of servers",
          \.tokenFiles, .file
        ).defaulting(to: "gateway.token in the state directory").fromEnvironment("LUNA_TOKEN_FILE"),
        .value(
          "ca-file", "FILE",
          "The authority (PEM) that vouches for the server; for one of Wehe's, whatever its name",
          \.authorities, .file),
        .negatableFlag(
          "ca-name-check",
          "Check that a certificate is of the server's name; of servers of Wehe's none has to be",
          \.checksName),
        .flag("plain", "Speak with the server without TLS", \.isPlain),
        .value(
          "ports", "PORTS", "Side channel plain and TLS, results plain and TLS", \.ports,
          .list(of: .integer(1...65_535))
        ).defaulting(to: "55555,55556,56565,56566"),
        .value(
          "locate-url", "URL", "The service that locates servers of M-Lab's", \.locateURL, .text),
        .value("site", "SITE", "Where the server of M-Lab's is to be", \.site, .text),
      ])
  }

  /// What does not go together; nil where all does.
  var problem: ValueProblem? {
    guard ports.count == 4 else {
      return ValueProblem("--ports has \(ports.count) ports", remedy: "give four")
    }
    switch server {
    case .own?, nil:
      if isPlain, server != nil {
        return ValueProblem("--plain is for servers of Wehe's", remedy: "leave it out")
      }
      guard !checksName, authorities == nil else { return nil }
      return ValueProblem(
        "whatever name a certificate has, somebody has to vouch for it",
        remedy: "give --ca-file FILE, or leave out --no-ca-name-check")
    case .wehe?, .mlab?: break
    }
    guard !isPlain, authorities == nil else { return nil }
    return ValueProblem(
      "a server of Wehe's has an authority of its own", remedy: "give --ca-file FILE or --plain")
  }

  /// A server of ours: the one that is named, else the backend; nil without any.
  var ownURL: String? {
    switch server {
    case .own(let url)?: url
    case .wehe?, .mlab?: nil
    case nil: backend.flatMap { HostPlace.isURL($0) ? $0 : nil }
    }
  }

  /// The file with the token for it.
  ///
  /// - Parameters:
  ///   - state: the state directory.
  ///   - isFirst: whether the first file counts where several are given: that of the first server of a pair.
  func tokenPath(_ state: String, isFirst: Bool = false) -> String {
    let role = TokenSource.Role.gateway
    if let path = isFirst ? tokenFiles.first : tokenFiles.last { return path }
    if let credentials = getenv("CREDENTIALS_DIRECTORY") {
      let path = String(cString: credentials) + "/" + role.credential
      if access(path, R_OK) == 0 { return path }
    }
    return "\(state)/\(role.tokenFile)"
  }

  /// Where a server of ours is.
  func place(of url: String) async throws(ReplayError) -> HostPlace {
    try await HostPlace.find(url, authorities: authorities, checksName: checksName)
  }

  /// The pairs of servers that a backend knows.
  func pairs(of url: String, token: String) async throws(LocalizationError) -> [[String]] {
    var list = PairList(url, token: token)
    list.authorities = authorities
    list.checksName = checksName
    return try await list.ask()
  }

  /// A client of a server.
  func client(of host: String) async throws(ReplayError) -> WeheClient {
    var client = WeheClient(
      try await ServerAddress.find(host), authorities: isPlain ? nil : authorities)
    client.sideChannelPort = ports[isPlain ? 0 : 1]
    client.resultsPort = ports[isPlain ? 2 : 3]
    return client
  }

  /// The service that locates servers.
  ///
  /// - Throws: ``CommandFailure`` where none is named.
  func locateClient() throws(CommandFailure) -> LocateClient {
    guard let locateURL else {
      throw CommandFailure(
        .backend, "nobody says where servers of M-Lab's are", hint: "give --locate-url URL")
    }
    var client = LocateClient(locateURL)
    client.site = site
    return client
  }

  /// A client of a server of Wehe's, with the access to it where it is one of M-Lab's.
  func connect(
    _ server: UplinkServer
  ) async throws -> (client: WeheClient, access: AccessChannel?) {
    switch server {
    case .own(let url):
      throw CommandFailure(
        .usage, "\(url) replays no recordings", hint: "name a server of Wehe's: wehe:HOST, or mlab")
    case .wehe(let host): return (try await client(of: host), nil)
    case .mlab:
      let access = try await locateClient().locate()
      return (try await client(of: access.machine.server), access)
    }
  }
}
