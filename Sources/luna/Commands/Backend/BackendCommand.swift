import Bluetooth
import CommandSpec
import Glibc
import LunaBackend

/// `luna backend`: the reference server of the Luna API.
struct BackendCommand: Sendable {
  var server = BackendServerOptions()
  var store = BackendStoreOptions()
  var queue = BackendQueueOptions()
  var general = GeneralOptions()

  static let command = Command(
    "backend", "Serve the Luna API: take events from gateways, give them to owners.",
    discussion: [
      "Gateways upload sealed events to it, owners fetch them and give commands. It cannot read "
        + "them: only the owner's keys open an event.",
      "Everybody needs a token: luna backend token create makes one, luna backend enroll a code with "
        + "which a gateway gets one by itself. The API describes itself at /openapi.json.",
      "It runs until Ctrl-C or SIGTERM, then writes what waits and answers whom it can. What it does "
        + "is on standard error, a JSON object on a line; addresses of clients are not.",
      "An answer is given when the events are on the disk. With more than a disk can take it answers "
        + "503 with Retry-After, and gateways keep what they have.",
      "Plain HTTP is for loopback or behind a proxy that does TLS; --tls-cert and --tls-key serve "
        + "https directly.",
      "Limits by address (connections, wrong enrolment codes) take a /64 of IPv6 for one client. "
        + "Behind a proxy all clients have its address: let the proxy limit them, and use "
        + "--connections-per-address 0. A good enrolment code works whatever others try.",
    ],
    initial: BackendCommand(),
    groups: [
      BackendServerOptions.group.scoped(to: \.server),
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
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in try options.server.check() })

  static let node = command.node(subcommands: [
    BackendTokenCommand.node,
    BackendEnrollCommand.command.node { options in { await options.run() } },
    BackendMigrateCommand.command.node { options in { await options.run() } },
    BackendBackupCommand.command.node { options in { await options.run() } },
    BackendCheckCommand.command.node { options in { await options.run() } },
  ]) { options -> LunaCommand.Action in { await options.run() } }

  func run() async -> ExitCode {
    let output = OutputBuffer(descriptor: STDOUT_FILENO)
    return await CommandRun(output, general.diagnostics).run {
      do {
        let configuration = try server.configuration()
        let log = BackendServe.log(general)
        let outage = StorageOutage(log)
        let storage = try await store.prepared(queue.settings, outage)
        return try await BackendServe(
          configuration: configuration, storage: storage, log: log, outage: outage
        ).run()
      } catch {
        throw CommandFailure(backend: error) ?? error
      }
    }
  }
}
