import CommandSpec
import Glibc
import HTTPServer
import LunaBackend

/// `luna backend check-config`: whether a backend would start with these options.
struct BackendCheckCommand: Sendable {
  var server = BackendServerOptions()
  var issuers = BackendIssuerOptions()
  var store = BackendStoreOptions()
  var queue = BackendQueueOptions()
  var general = GeneralOptions()

  static let command = Command(
    "check-config", "Check whether a backend would start with these options.",
    discussion: [
      "Reads the certificate and its key, opens the storage and writes to it, and listens for a "
        + "moment. Give it the options, or the --config file, of the backend, which may be running "
        + "meanwhile."
    ],
    initial: BackendCheckCommand(),
    groups: [
      BackendServerOptions.group.scoped(to: \.server),
      BackendIssuerOptions.group.scoped(to: \.issuers),
      BackendStoreOptions.group.scoped(to: \.store),
      BackendQueueOptions.group.scoped(to: \.queue), GeneralOptions.group.scoped(to: \.general),
    ],
    examples: [Example("luna backend check-config --listen 0.0.0.0:8443", "Would this work?")],
    exitStatuses: ExitCode.statuses,
    check: { options throws(ValueProblem) in
      try options.server.check()
      try options.issuers.check()
    })

  func run() async -> ExitCode {
    await BackendSession.run(store, nil, general) { session in
      var configuration = try server.configuration()
      configuration.issuers = try await issuers.issuers()
      try await session.storage.health()
      let backend = BackendServer(configuration, storage: session.storage)
      do throws(ServerError) {
        let address = try await backend.start()
        await backend.stop()
        session.diagnostics.note(
          "luna: a backend would listen on \(address) and keep its data in "
            + session.storage.name)
      } catch {
        // One that runs with these options already is no fault of the options.
        guard error.kind == .busy, let process = PortHolder.backend(on: configuration.listen.port)
        else { throw error }
        session.diagnostics.note(
          "luna: a backend (process \(process)) listens on \(configuration.listen) already; after "
            + "it, one with these options could, with its data in \(session.storage.name)")
      }
      if configuration.tls == nil, !configuration.listen.isLoopback {
        session.diagnostics.note(
          "luna: without TLS; put a proxy in front of it, or anybody on the network path "
            + "can read tokens")
      }
      return .done
    }
  }
}
