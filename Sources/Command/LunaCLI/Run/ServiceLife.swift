import EventLoop
import ServiceManager

/// What a listening command tells the manager of services when it is run as a service: that it listens, and
/// that it works, for as long as it hears something, or its radio tells what it does about the silence. A
/// timer alone would say so of a process that hears nothing for ever.
struct ServiceLife: Sendable {
  /// No radio that works says nothing for so long: in a silent place its scan is started anew at least
  /// every 20 minutes (`ScanSupervisor.longest`), and what lasts is told anew (`StateBroadcast.interval`).
  static let patience = Duration.seconds(1800)

  private let manager: ServiceManager
  private let diagnostics: Diagnostics
  private let silence: @Sendable () async -> Duration?
  private let watchdog = TaskHolder()

  /// - Parameter silence: how long ago it heard or told something; nil while it does not listen.
  init(
    _ diagnostics: Diagnostics, manager: ServiceManager = .current,
    silence: @escaping @Sendable () async -> Duration?
  ) {
    self.diagnostics = diagnostics
    self.manager = manager
    self.silence = silence
  }

  /// It listens; said again when that changes.
  func begin(_ status: String) {
    ServiceReload.current?.begun()
    manager.tell(.ready, .status(status))
    watchdog.hold { [manager, diagnostics, silence] in
      manager.feedWatchdog {
        await ReactorPulse().beat()
        guard let silence = await silence() else { return true }
        if silence < ServiceLife.patience { return true }
        diagnostics.error(
          CommandFailure(
            .lost,
            "nothing was heard, and the radio has not told why, for "
              + "\(silence.components.seconds) s: the service does not work"))
        return false
      }
    }
  }

  /// It ends, if only to begin anew.
  func end() {
    if ServiceReload.current?.isPending != true { manager.tell(.stopping) }
    watchdog.cancel()
  }
}
