import Glibc
import HTTPServer
import LunaBackend
import LunaCore
import ServiceManager

/// A backend that runs until a signal.
struct BackendServe: Sendable {
  let configuration: BackendConfiguration
  let socket: ListeningSocket
  let storage: any Storage
  let log: BackendLog
  let outage: StorageOutage
  let diagnostics: Diagnostics

  /// Lines on standard error, one write each.
  static func log(_ general: GeneralOptions) -> BackendLog {
    BackendLog(level: general.quiet ? .error : general.verbosity > 0 ? .debug : .info) {
      level, text in
      let priority: JournalPriority =
        switch level {
        case .error: .error
        case .info: .info
        case .debug: .debug
        }
      var line = JournalStream.error.prefix(priority) + text + "\n"
      // Nobody is left to tell when standard error cannot be written.
      line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }

  func run() async throws -> ExitCode {
    let server = BackendServer(configuration, storage: storage, log: log, outage: outage)
    let stop = StopRequest()
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
    let reload = ServiceReload.asked
    SignalWatcher.watch { [diagnostics] number in
      if number == SIGUSR1 { return server.writeStatistics() }
      if number == SIGHUP, let reload {
        return reload.restart(stop, diagnostics) { continuation.finish() }
      }
      // The second one does not wait; one that is beginning anew has ended what it did.
      guard stop.give(.signal(number)) else {
        Main.end(reload?.statusAtEnd(by: number) ?? 128 + number)
      }
      continuation.yield(number)
      continuation.finish()
    }
    let address: ListenAddress
    do throws(ServerError) {
      address = try await server.start(on: socket)
    } catch {
      await storage.close()
      throw error
    }
    await welcome(server)
    let manager = ServiceManager.current
    ServiceReload.current?.begun()
    manager.tell(.ready, .status("listening on \(address)"))
    let watchdog = manager.feedWatchdog {
      await server.answer()
      return true
    }
    defer { watchdog?.cancel() }
    var reason: Int32 = SIGTERM
    for await number in signals { reason = number }
    if reload?.isPending != true { manager.tell(.stopping) }
    guard await server.stop() else { Main.end(ExitCode.lost.rawValue) }
    return reason == SIGINT ? .interrupted : .done
  }

  /// Shows how the first account is made, as long as there is none. Whoever has the link makes it: it is
  /// for a person at a terminal, and never for a log.
  private func welcome(_ server: BackendServer) async {
    let terminal = [STDOUT_FILENO, STDERR_FILENO].first { isatty($0) == 1 }
    guard let link = await server.setupLink(hasTerminal: terminal != nil), let terminal else {
      return
    }
    var text =
      "Nobody can sign in yet. With this link, good once and for an hour, you make the first "
      + "account:\n\n  \(link)\n\n"
    text.withUTF8 { _ = write(terminal, $0.baseAddress, $0.count) }
  }
}
