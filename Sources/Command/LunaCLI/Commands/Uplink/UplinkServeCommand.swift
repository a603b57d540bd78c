import Bluetooth
import CommandSpec
import EventLoop
import Glibc
import HTTPServer
import LunaBackend
import LunaCore
import LunaDocuments
import LunaUplink
import UplinkProtocol

/// `luna uplink serve`: the other end of checks.
struct UplinkServeCommand: Sendable {
  /// How long those who are served have when it ends.
  private static let patience = Duration.seconds(10)
  /// How many connections an address may have: one that makes a check has two.
  private static let connectionsPerAddress = 64

  var listen = ListenAddress(host: "127.0.0.1", port: 8443)
  var certificate = ""
  var key = ""
  var tokenFile: String?
  var isWehe = false
  var recordings: String?
  var ports: [UInt16] = [55_555, 55_556, 56_565, 56_566]
  var pairs: [ServerPair] = []
  var variations: String?
  var authorities: String?
  var limits = HostLimits()
  var general = GeneralOptions()

  static let command = Command(
    "serve", "Run a server with which luna uplink check compares.",
    discussion: [
      "It counts what it is sent, and sends as much as it is asked for; nothing is kept. A certificate for its "
        + "name is shown whatever name is asked for. Who shows one of the tokens may make checks: one at a time, "
        + "ten minutes each, with as much data as --session-data and --daily-data allow. On port 443 it is like the "
        + "traffic that it stands for.",
      "With --wehe it also replays recordings with clients of Wehe's: their side channel and results on --ports, "
        + "the data on the ports of the recordings. Nobody signs in there: two replays at once, 100 MB a day "
        + "for each address. A directory of recordings is what luna uplink record makes; what the server sends is "
        + "made up where its file is missing, and so is a missing control.",
      "With --pair it tells them of two servers whose paths part, and says where a difference is made, as servers of "
        + "Wehe's do: it asks the other one for its measurements, at the same port. Losses are read from the kernel; "
        + "whether both together are as fast as one alone is compared where --variations are there.",
    ],
    initial: UplinkServeCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .value("listen", "HOST[:PORT]", "Where to listen", \.listen, address)
            .defaulting(to: "127.0.0.1:8443"),
          .value("tls-cert", "FILE", "Its certificates (PEM)", \.certificate, .file).required(),
          .value("tls-key", "FILE", "Their private key (PEM)", \.key, .file).required(),
          .value(
            "token-file", "FILE", "The tokens, one on each line; not needed with --wehe alone",
            \.tokenFile, .file),
          .flag("wehe", "Replay recordings with clients of Wehe's", \.isWehe),
          .value(
            "recordings", "DIR", "The recordings for --wehe", \.recordings, .directory
          ),
          .value(
            "ports", "PORTS", "Of --wehe: side channel plain and TLS, results plain and TLS",
            \.ports, .list(of: .integer(1...65_535))
          ).defaulting(to: "55555,55556,56565,56566"),
          .repeated(
            "pair", "ONE,TWO", "Of --wehe: two servers whose paths part, as clients call them",
            \.pairs, pair),
          .value(
            "variations", "FILE",
            "What replays usually differ by, as luna uplink locate --baseline prints it",
            \.variations, .file),
          .value(
            "ca-file", "FILE",
            "The authority (PEM) that vouches for the other servers of pairs, whatever their names",
            \.authorities, .file),
        ]), HostLimits.group.scoped(to: \.limits),
      GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example(
        "luna uplink serve --tls-cert cert.pem --tls-key key.pem --token-file tokens",
        "For checks from this machine alone")
    ],
    exitStatuses: ExitCode.serverStatuses,
    check: { options throws(ValueProblem) in
      guard options.isWehe == (options.recordings != nil) else {
        throw ValueProblem(
          "--wehe and --recordings DIR belong together", remedy: "give both or neither")
      }
      guard options.isWehe || options.tokenFile != nil else {
        throw ValueProblem("--token-file FILE is missing", remedy: "say who may make checks")
      }
      guard options.tokenFile != nil || options.limits == HostLimits() else {
        throw ValueProblem(
          "limits are for who shows a token", remedy: "give --token-file FILE, or leave them out")
      }
      if let problem = options.limits.problem { throw problem }
      guard options.isWehe || (options.pairs.isEmpty && options.variations == nil) else {
        throw ValueProblem(
          "--pair and --variations are for clients of Wehe's", remedy: "give --wehe, or neither")
      }
      guard !options.pairs.isEmpty || options.authorities == nil else {
        throw ValueProblem(
          "--ca-file is for the neighbours of --pair", remedy: "give --pair, or leave it out")
      }
      guard Set(options.ports).count == 4, options.ports.count == 4 else {
        throw ValueProblem("--ports are four different ones", remedy: "give four")
      }
    })

  private static var address: ValueReader<ListenAddress> {
    ValueReader(expects: "HOST[:PORT]") { text throws(ValueProblem) in
      if let address = ListenAddress(text) { return address }
      guard let address = ListenAddress("\(text):8443") else {
        throw ValueProblem("is no HOST[:PORT]")
      }
      return address
    }
  }

  private static var pair: ValueReader<ServerPair> {
    ValueReader(expects: "ONE,TWO") { text throws(ValueProblem) in
      guard let pair = ServerPair(text) else { throw ValueProblem("is no pair of servers") }
      return pair
    }
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      var tokens: UplinkTokens?
      if let tokenFile { tokens = try await UplinkTokens(tokenFile) }
      let wehe = try await weheService()
      let service = UplinkService(limits)
      BackendServer.raiseFileLimit()
      var http = HTTPLimits()
      http.connectionsPerAddress = UplinkServeCommand.connectionsPerAddress
      service.adjust(&http)
      let listener = HTTPListener(limits: http) { [tokens] request in
        await service.answer(request) { tokens?.hash(request.head) } ?? HTTPResponse(404, nil, [])
      }
      let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
      let stop = StopRequest()
      let diagnostics = general.diagnostics
      let reload = ServiceReload.asked
      SignalWatcher.watch { number in
        guard number != SIGUSR1 else {
          let count = service.running + (wehe?.running ?? 0)
          return diagnostics.answer("luna: \(count) checks run")
        }
        if number == SIGHUP, let reload {
          return reload.restart(stop, diagnostics) { continuation.finish() }
        }
        guard stop.give(.signal(number)) else {
          Main.end(reload?.statusAtEnd(by: number) ?? 128 + number)
        }
        continuation.yield(number)
        continuation.finish()
      }
      let (listen, certificate, key, ports) = (listen, certificate, key, ports)
      let hasOwn = tokens != nil
      var listeners: [HTTPListener] = []
      do throws(ServerError) {
        listeners = try await Blocking.run { () throws(ServerError) -> [HTTPListener] in
          guard hasOwn else { return try wehe?.start(on: listen.host, ports: ports) ?? [] }
          let files = try TLSFiles(certificateFile: certificate, keyFile: key)
          let address = try listener.start(on: listen, tls: files)
          let others = try wehe?.start(on: listen.host, ports: ports) ?? []
          diagnostics.note("luna: checks can be made at https://\(address)")
          return others + [listener]
        }
      } catch {
        // What goes on as before wants the port again.
        _ = await listener.stop(within: UplinkServeCommand.patience)
        throw CommandFailure(ExitCode(error.kind), error)
      }
      if wehe != nil {
        diagnostics.note("luna: clients of Wehe's are served at \(listen.host), ports \(ports)")
      }
      ServiceReload.current?.begun()
      var reason = SIGTERM
      for await number in signals { reason = number }
      await wehe?.stop()
      for listener in listeners {
        guard await listener.stop(within: UplinkServeCommand.patience) else {
          Main.end(ExitCode.lost.rawValue)
        }
      }
      return reason == SIGINT ? .interrupted : .done
    }
  }

  /// The server for clients of Wehe's; nil where there is to be none.
  private func weheService() async throws -> WeheService? {
    guard let recordings else { return nil }
    var neighbours = WeheNeighbours()
    neighbours.pairs = pairs
    neighbours.authorities = authorities
    neighbours.port = ports[authorities == nil ? 2 : 3]
    if let variations {
      neighbours.variations = try await UsualVariations.read(variations)
    }
    let service = WeheService(
      try await WeheDirectory.read(recordings), certificate: certificate, key: key,
      neighbours: neighbours,
      date: { String(Timestamp.now.rfc3339.prefix(19).map { $0 == "T" ? " " : $0 }) })
    if let service { return service }
    throw CommandFailure(
      .lost, "there are no descriptors left", hint: "allow more open files (ulimit -n)")
  }
}
