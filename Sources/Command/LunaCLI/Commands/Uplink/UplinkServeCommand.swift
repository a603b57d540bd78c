import CommandSpec
import EventLoop
import Glibc
import HTTPServer
import LunaDocuments
import LunaUplink

/// `luna uplink serve`: the other end of checks.
struct UplinkServeCommand: Sendable {
  /// How long those who are served have when it ends.
  private static let patience = Duration.seconds(10)

  var listen = ListenAddress(host: "127.0.0.1", port: 8443)
  var certificate = ""
  var key = ""
  var tokenFile = ""
  var general = GeneralOptions()

  static let command = Command(
    "serve", "Run a server with which luna uplink check compares.",
    discussion: [
      "It counts what it is sent, and sends as much as it is asked for; nothing is kept. A certificate for its "
        + "name is shown whatever name is asked for. Who shows one of the tokens may make checks: one at a time, "
        + "200 MB and ten minutes each, 2 GB a day. On port 443 it is like the traffic that it stands for."
    ],
    initial: UplinkServeCommand(),
    groups: [
      OptionGroup(
        "Options",
        [
          .value("listen", "HOST:PORT", "Where to listen", \.listen, address)
            .defaulting(to: "127.0.0.1:8443"),
          .value("tls-cert", "FILE", "Its certificates (PEM)", \.certificate, .file).required(),
          .value("tls-key", "FILE", "Their private key (PEM)", \.key, .file).required(),
          .value("token-file", "FILE", "The tokens, one on each line", \.tokenFile, .file)
            .required(),
        ]), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example(
        "luna uplink serve --tls-cert cert.pem --tls-key key.pem --token-file tokens",
        "For checks from this machine alone")
    ],
    exitStatuses: ExitCode.uplinkStatuses)

  private static var address: ValueReader<ListenAddress> {
    ValueReader(expects: "HOST:PORT") { text throws(ValueProblem) in
      guard let address = ListenAddress(text) else { throw ValueProblem("is no HOST:PORT") }
      return address
    }
  }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      let tokens = try await UplinkTokens(tokenFile)
      let service = UplinkService()
      var limits = HTTPLimits()
      service.adjust(&limits)
      let listener = HTTPListener(limits: limits) { request in
        await service.answer(request) { tokens.hash(request.head) } ?? HTTPResponse(404, nil, [])
      }
      let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
      let stop = StopRequest()
      SignalWatcher.watch { [diagnostics = general.diagnostics] number in
        guard number != SIGUSR1 else {
          return diagnostics.answer("luna: \(service.running) checks run")
        }
        guard stop.give(.signal(number)) else { Main.end(128 + number) }
        continuation.yield(number)
        continuation.finish()
      }
      let (listen, certificate, key) = (listen, certificate, key)
      do throws(ServerError) {
        let address = try await Blocking.run { () throws(ServerError) -> ListenAddress in
          let files = try TLSFiles(certificateFile: certificate, keyFile: key)
          return try listener.start(on: listen, tls: files)
        }
        general.diagnostics.note("luna: checks can be made at https://\(address)")
      } catch {
        throw CommandFailure(ExitCode(error.kind), error)
      }
      var reason = SIGTERM
      for await number in signals { reason = number }
      guard await listener.stop(within: UplinkServeCommand.patience) else {
        Main.end(ExitCode.lost.rawValue)
      }
      return reason == SIGINT ? .interrupted : .done
    }
  }
}
