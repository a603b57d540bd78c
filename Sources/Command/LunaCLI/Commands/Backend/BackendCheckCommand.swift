import CommandSpec
import Glibc
import HTTPServer
import LunaBackend
import LunaDocuments

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
        + "moment. Makes nothing and takes nothing away. Give it the options, or the --config file, of "
        + "the backend, which may be running meanwhile."
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
    await CommandRun(OutputBuffer(descriptor: STDOUT_FILENO), general.diagnostics).run {
      do {
        try await check()
        return .done
      } catch {
        throw CommandFailure(backend: error) ?? error
      }
    }
  }

  private func check() async throws {
    var configuration = try server.configuration()
    configuration.issuers = try await issuers.issuers()
    let place = try await data(configuration)
    do throws(ServerError) {
      let address = try await BackendServer.tryToListen(configuration)
      general.diagnostics.note(
        "luna: a backend would listen on \(address) and keep its data in \(place)")
    } catch {
      // One that runs with these options already is no fault of the options.
      guard error.kind == .busy, let process = PortHolder.backend(on: configuration.listen.port)
      else { throw error }
      general.diagnostics.note(
        "luna: a backend (process \(process)) listens on \(configuration.listen) already; after "
          + "it, one with these options could, with its data in \(place)")
    }
    if configuration.processes > 1, case .sqlite = try store.place() {
      general.diagnostics.note(
        "luna: with SQLite there is one backend, which would allow only a part of its limits (--of)"
      )
    }
    if configuration.tls == nil, !configuration.listen.isLoopback {
      general.diagnostics.note(
        "luna: without TLS; put a proxy in front of it, or anybody on the network path "
          + "can read tokens")
    }
  }

  /// Where the data would be, in words.
  private func data(_ configuration: BackendConfiguration) async throws -> String {
    do {
      let storage = try await store.existing()
      do throws(StorageError) {
        try await storage.health()
      } catch {
        guard error.kind == .outdated else { throw error }
        return "\(storage.name), which it would bring to this version"
      }
      _ = try await storage.agree(
        on: configuration, given: Set(server.given.keys), isKept: false)
      if let storage = storage as? PostgreSQLStorage, try await !storage.waitsForStandby() {
        general.diagnostics.note(
          "luna: PostgreSQL waits for no synchronous standby; what was acknowledged is lost with "
            + "its machine")
      }
      return storage.name
    } catch let error as StorageError {
      guard error.kind == .absent, case .sqlite(let path) = try store.place() else { throw error }
      // Its own directory is made too; any other one has to be there.
      if store.location != nil { try OutputFile.check(path, replacing: false) }
      return "sqlite:\(path), which it would make"
    }
  }
}
