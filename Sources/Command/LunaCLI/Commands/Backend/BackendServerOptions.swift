import CommandSpec
import HTTPServer
import LunaBackend

/// Options that say how a backend serves.
struct BackendServerOptions: Sendable {
  /// For servers that others than this machine can reach.
  private static let usualConnectionsPerAddress = 256

  var listen = BackendConfiguration().listen
  var certificate: String?
  var key: String?
  var retention: Int?
  var connections = HTTPLimits().connections
  var connectionsPerAddress: Int?
  var requests = HTTPLimits().requests
  var bodyMemory = HTTPLimits().totalBodyBytes >> 20
  var threads = BackendConfiguration().threads
  var eventsPerSecond: Int?
  var requestsPerSecond: Int?
  var eventsPerIdentifier: Int?
  var openCommands: Int?
  var processes = BackendConfiguration().processes
  var publicURL: PublicURL?
  var hasConsole = true
  var trustedProxies: [String] = []
  var tiles: [MapTiles] = []
  var makesUplinkChecks = false
  var uplinkPairs: [[String]] = []
  var isForTesting = false
  var isDemo = false

  static var group: OptionGroup<BackendServerOptions> {
    OptionGroup(
      "Server",
      [
        .value(
          "listen", "HOST:PORT", "Where to listen; port 0 picks a free port", \.listen, address
        )
        .defaulting(to: "127.0.0.1:8080"),
        .value(
          "tls-cert", "FILE", "Serve https with these certificates (PEM)", \.certificate, .file),
        .value("tls-key", "FILE", "Their private key (PEM)", \.key, .file),
        .value(
          "retention", "DAYS", "Drop events after this time", \.retention,
          .integer(SharedSetting.retention.range)
        )
        .defaulting(to: "400"),
        .value(
          "connections", "N", "Take at most N connections at once", \.connections,
          .integer(16...1_000_000)
        ).defaulting(to: "16384"),
        .value(
          "connections-per-address", "N",
          "Take at most N connections from one address (or IPv6 /64); 0 for no limit, as "
            + "behind a proxy", \.connectionsPerAddress, .integer(0...1_000_000)
        ).defaulting(to: "256, on loopback 0"),
        .value(
          "requests", "N", "Work on at most N requests at once", \.requests,
          .integer(1...1_000_000)
        ).defaulting(to: "2048"),
        .value(
          "body-memory", "MIB", "Hold at most this many MiB of request bodies at once",
          \.bodyMemory,
          .integer(1...1_000_000)
        ).defaulting(to: "256"),
        .value(
          "threads", "N", "Serve connections with N threads", \.threads, .integer(1...256)
        ).defaulting(to: "2"),
        .value(
          "events-per-second", "N",
          "Take at most N events a second from a gateway over time; 0 for no limit",
          \.eventsPerSecond, .integer(SharedSetting.eventsPerSecond.range)
        ).defaulting(to: "1000"),
        .value(
          "requests-per-second", "N",
          "Take at most N other requests a second per token over time; 0 for no limit",
          \.requestsPerSecond, .integer(SharedSetting.requestsPerSecond.range)
        ).defaulting(to: "50"),
        .value(
          "events-per-identifier", "N",
          "Take at most N events an hour for one identifier; 0 for no limit", \.eventsPerIdentifier,
          .integer(SharedSetting.eventsPerIdentifier.range)
        ).defaulting(to: "2000"),
        .value(
          "open-commands", "N", "Allow an owner at most N open commands", \.openCommands,
          .integer(SharedSetting.openCommands.range)
        ).defaulting(to: "1000"),
        .value(
          "of", "N",
          "Allow an N-th of all rates and bursts: for N backends whose clients may ask any of them",
          \.processes, .integer(1...1000)
        ).defaulting(to: "1"),
        .value(
          "public-url", "URL",
          "Where browsers find it, without a path; only https, or this machine, lets people sign in",
          \.publicURL, publicURLReader
        ).defaulting(to: "where it listens"),
        .negatableFlag(
          "console", "Let people sign in with a browser; the default", \.hasConsole),
        .repeated(
          "tiles", "LOOK=FILE",
          "Show this map (MBTiles) as standard, satellite or hybrid; no other server is asked",
          \.tiles, tilesReader),
        .repeated(
          "trust-proxy", "CIDR",
          "Take the last address of X-Forwarded-For from a proxy there (10.0.0.1, fd00::/8)",
          \.trustedProxies, proxyReader),
        .flag(
          "uplink", "Make uplink checks with gateways, owners and accounts (luna uplink check)",
          \.makesUplinkChecks),
        .repeated(
          "uplink-pair", "URL,URL",
          "Tell gateways of two servers of luna uplink serve whose paths part (luna uplink locate)",
          \.uplinkPairs, UplinkLocateOptions.urls),
        .flag(
          "testing", "Accept events with clear-text positions; never for real trackers",
          \.isForTesting),
        .flag(
          "demo", "Let anybody of this machine sign in, as long as there are no accounts",
          \.isDemo),
      ])
  }

  private static var address: ValueReader<ListenAddress> {
    ValueReader(expects: "HOST:PORT, such as 127.0.0.1:8080 or [::1]:8080", hint: .text) {
      text throws(ValueProblem) in
      guard let address = ListenAddress(text) else { throw ValueProblem("is no HOST:PORT") }
      return address
    }
  }

  static var publicURLReader: ValueReader<PublicURL> {
    ValueReader(expects: "https://HOST or http://HOST:PORT, without a path", hint: .text) {
      text throws(ValueProblem) in
      guard let url = PublicURL(text) else { throw ValueProblem("is no such URL") }
      return url
    }
  }

  private static var proxyReader: ValueReader<String> {
    ValueReader(expects: "an address or a network, such as 10.0.0.0/8", hint: .text) {
      text throws(ValueProblem) in
      guard TrustedProxies([text]) != nil else { throw ValueProblem("is no address") }
      return text
    }
  }

  /// How a map looks, and its file.
  struct MapTiles: Sendable {
    let look: TileLook
    let path: String
  }

  private static var tilesReader: ValueReader<MapTiles> {
    let looks = TileLook.allCases.map(\.rawValue).joined(separator: ", ")
    return ValueReader(
      expects: "LOOK=FILE, such as standard=map.mbtiles; looks: \(looks)", hint: .text
    ) { text throws(ValueProblem) in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2, let look = TileLook(rawValue: parts[0]) else {
        throw ValueProblem("is no LOOK=FILE")
      }
      return MapTiles(look: look, path: parts[1])
    }
  }

  func check() throws(ValueProblem) {
    guard Set(tiles.map(\.look)).count == tiles.count else {
      throw ValueProblem("--tiles has two files for one look")
    }
    guard !isDemo || listen.isLoopback else {
      throw ValueProblem(
        "--demo is for this machine alone", remedy: "listen on 127.0.0.1, or leave out --demo")
    }
    guard (certificate == nil) == (key == nil) else {
      throw ValueProblem("--tls-cert and --tls-key go together")
    }
  }

  /// What somebody has said of what all backends on one database share.
  var given: [SharedSetting: Int] {
    let all: [(SharedSetting, Int?)] = [
      (.retention, retention), (.eventsPerIdentifier, eventsPerIdentifier),
      (.eventsPerSecond, eventsPerSecond), (.requestsPerSecond, requestsPerSecond),
      (.openCommands, openCommands),
    ]
    var given: [SharedSetting: Int] = [:]
    for (setting, value) in all { given[setting] = value }
    return given
  }

  /// The configuration, with the certificate read.
  func configuration() throws -> BackendConfiguration {
    var configuration = BackendConfiguration()
    configuration.listen = listen
    if let certificate, let key {
      configuration.tls = try TLSFiles(certificateFile: certificate, keyFile: key)
    }
    configuration.limits.connections = connections
    configuration.limits.connectionsPerAddress =
      connectionsPerAddress ?? (listen.isLoopback ? 0 : Self.usualConnectionsPerAddress)
    configuration.limits.requests = requests
    configuration.limits.totalBodyBytes = bodyMemory << 20
    configuration.threads = threads
    for (setting, value) in given { configuration[setting] = value }
    configuration.processes = processes
    configuration.allowsDebugFields = isForTesting
    configuration.publicURL = publicURL
    configuration.hasConsole = hasConsole
    configuration.pictureReader = ["/proc/self/exe", "backend", "decoder"]
    configuration.isDemo = isDemo
    configuration.uplinkPairs = uplinkPairs
    configuration.tiles = Dictionary(tiles.map { ($0.look, $0.path) }) { $1 }
    configuration.limits.trustedProxies = TrustedProxies(trustedProxies) ?? .none
    return configuration
  }
}
