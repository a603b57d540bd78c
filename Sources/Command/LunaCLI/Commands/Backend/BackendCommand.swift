import Bluetooth
import CommandSpec
import Glibc
import LunaBackend
import LunaDocuments

/// `luna backend`: the reference server of the Luna API.
struct BackendCommand: Sendable {
  var server = BackendServerOptions()
  var issuers = BackendIssuerOptions()
  var store = BackendStoreOptions()
  var queue = BackendQueueOptions()
  var general = GeneralOptions()

  static let command = Command(
    "backend", "Serve the Luna API: take events from gateways and give them to owners.",
    discussion: [
      "Gateways upload sealed events; owners fetch them and leave commands. The backend "
        + "cannot read events: only the owner's keys open them.",
      "Every client needs a token: luna backend token create makes one; luna backend "
        + "enroll makes a code with which a gateway gets its own. The API is described at "
        + "/openapi.json.",
      "It runs until Ctrl-C or SIGTERM, then writes what is pending and answers open "
        + "requests. It logs to standard error, one JSON object per line, without the "
        + "addresses of clients.",
      "It answers once the events are on disk. When more comes in than the disk can take, "
        + "it answers 503 with Retry-After, and gateways keep their events.",
      "Use plain HTTP only on loopback or behind a proxy that does TLS; with --tls-cert "
        + "and --tls-key it serves https itself.",
      "People sign in with a browser at --public-url. The first time, on a terminal, it prints a "
        + "link to make the account that looks after the others; otherwise luna account add makes "
        + "one.",
      "Limits per address (connections, wrong enrolment codes) count an IPv6 /64 as one "
        + "client. Behind a proxy, all clients have its address: let the proxy limit them, and "
        + "use --connections-per-address 0, or say with --trust-proxy which proxy to believe. "
        + "A valid enrolment code works whatever others try.",
      "Any number of backends may share a PostgreSQL database. The first one keeps there how long events are kept "
        + "and what is allowed (--retention, --events-per-identifier, --events-per-second, "
        + "--requests-per-second, --open-commands); others follow it, and one that is given something else "
        + "does not start. luna backend settings changes them for all.",
      "Each of them counts by itself what a gateway, an owner or an address asks for (events of one identifier they "
        + "count together). Let the proxy before them choose one by the token, as the example for HAProxy does; "
        + "otherwise give each of N backends --of N, and none allows more than its part.",
      "Where Citus spreads the events of that database over several servers, those of one that is gone are rejected "
        + "for now, and all others are taken.",
      BackendIssuerOptions.help,
    ],
    initial: BackendCommand(),
    groups: [
      BackendServerOptions.group.scoped(to: \.server),
      BackendIssuerOptions.group.scoped(to: \.issuers),
      BackendStoreOptions.group.scoped(to: \.store),
      BackendQueueOptions.group.scoped(to: \.queue), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [
      Example("luna backend", "On loopback, with a file in the state directory"),
      Example(
        "luna backend --listen 0.0.0.0:8443 --tls-cert cert.pem --tls-key key.pem",
        "For the network"),
      Example("luna backend token create gateway kitchen", "A token for a gateway"),
    ],
    exitStatuses: ExitCode.serverStatuses,
    check: { options throws(ValueProblem) in
      try options.server.check()
      try options.issuers.check()
    })

  static let node = command.node(subcommands: [
    BackendTokenCommand.node,
    BackendEnrollCommand.command.node { options in { await options.run() } },
    BackendMigrateCommand.command.node { options in { await options.run() } },
    BackendBackupCommand.command.node { options in { await options.run() } },
    BackendCheckCommand.command.node { options in { await options.run() } },
    BackendSettingsCommand.command.node { options in { await options.run() } },
    BackendDecoderCommand.command.node { options in { options.run() } },
  ]) { options -> LunaCommand.Action in { await options.run() } }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      do {
        var configuration = try server.configuration()
        configuration.issuers = try await issuers.issuers()
        configuration.recordsUsage = general.recordsUse
        if server.makesUplinkChecks { configuration.addition = .uplink }
        // A mistyped address is no reason to make a storage, or to bring one to this version.
        let socket = try await BackendServer.listen(on: configuration.listen)
        let log = BackendServe.log(general)
        let outage = StorageOutage(log)
        let storage = try await store.served(queue.settings, outage)
        configuration = try await storage.agree(on: configuration, given: Set(server.given.keys))
        return try await BackendServe(
          configuration: configuration, socket: socket, storage: storage, log: log, outage: outage,
          diagnostics: general.diagnostics
        ).run()
      } catch {
        throw CommandFailure(backend: error) ?? error
      }
    }
  }
}
