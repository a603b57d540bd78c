import Glibc
import LunaBackend
import LunaCore

/// A backend that runs until a signal.
struct BackendServe: Sendable {
  let configuration: BackendConfiguration
  let storage: any Storage
  let log: BackendLog
  let outage: StorageOutage

  /// Lines on standard error, one write each.
  static func log(_ general: GeneralOptions) -> BackendLog {
    BackendLog(level: general.quiet ? .error : general.verbosity > 0 ? .debug : .info) { text in
      var line = text + "\n"
      // Nobody is left to tell when standard error cannot be written.
      line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
  }

  func run() async throws -> ExitCode {
    let server = BackendServer(configuration, storage: storage, log: log, outage: outage)
    let stop = StopRequest()
    let (signals, continuation) = AsyncStream.makeStream(of: Int32.self)
    SignalWatcher.watch { number in
      if number == SIGUSR1 { return }
      // The second one does not wait.
      guard stop.give(.signal(number)) else { _exit(128 + number) }
      continuation.yield(number)
      continuation.finish()
    }
    _ = try await server.start()
    var reason: Int32 = SIGTERM
    for await number in signals { reason = number }
    guard await server.stop() else { _exit(ExitCode.lost.rawValue) }
    return reason == SIGINT ? .interrupted : .done
  }
}
