import CommandSpec
import Glibc
import ServiceManager
import Synchronization

/// What a service does when it is to read its configuration again (SIGHUP): it goes on as it is when
/// there is a mistake in it; otherwise it ends what it does, and begins anew with what is said now. Where
/// that cannot begin, as with a port that somebody else has, it begins again with what worked before.
final class ServiceReload: Sendable {
  /// That of the command that runs.
  @TaskLocal static var current: ServiceReload?

  private struct State {
    /// What is to be done once the service has ended what it does.
    var next: LunaCommand.Action?
    /// Whether what runs now has begun to work.
    var works = false
    /// What worked before it.
    var proven: LunaCommand.Action?
  }

  private let words: [String]
  private let state = Mutex(State())

  /// - Parameter words: the command line.
  init(_ words: [String]) { self.words = words }

  /// Whether SIGHUP asks for it. A process with a terminal is told so that the terminal has closed.
  static var isAsked: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return true }
    close(terminal)
    return false
  }

  /// That of the command that runs, where SIGHUP asks for it.
  static var asked: ServiceReload? { isAsked ? current : nil }

  /// SIGHUP has come: ends what runs, when there is something to begin anew with.
  ///
  /// - Parameter end: ends it; not called when something else ends it already.
  func restart(
    _ stop: StopRequest, _ diagnostics: Diagnostics, _ end: @escaping @Sendable () async -> Void
  ) {
    Task {
      guard await prepare(diagnostics), stop.give(.reload) else { return }
      await end()
    }
  }

  /// Reads the configuration, and says what came of it.
  ///
  /// - Returns: whether the service is to begin anew.
  func prepare(_ diagnostics: Diagnostics) async -> Bool {
    do {
      guard
        case .action(let action, _) = try await CommandLineReading(words, isAgain: true)
      else { return false }
      state.withLock { $0.next = action }
      ServiceManager.current.tell(.reloading)
      diagnostics.note("luna: the configuration was read again; beginning anew with it")
      return true
    } catch let error as CommandFailure {
      diagnostics.error(error)
    } catch let error as UsageError {
      diagnostics.error(CommandFailure(error))
    } catch {
      diagnostics.error(CommandFailure(.usage, "\(error)"))
    }
    diagnostics.note("luna: the service goes on with the configuration that it has")
    return false
  }

  /// The service does what it is there for: its configuration is one to come back to.
  func begun() { state.withLock { $0.works = true } }

  /// Whether the service begins anew when it ends: with the next configuration, or with the one that
  /// worked before this one, which cannot begin.
  var isPending: Bool {
    state.withLock { $0.next != nil || (!$0.works && $0.proven != nil) }
  }

  /// What the process ends with when a signal comes while the service begins anew: a manager that ends a
  /// service then has not ended it by force. Nil when it does not begin anew.
  func statusAtEnd(by signal: Int32) -> Int32? {
    isPending && signal == SIGTERM ? ExitCode.done.rawValue : nil
  }

  /// What is to be done when the service has ended; nil when that was all.
  ///
  /// - Parameters:
  ///   - ended: what it did.
  ///   - code: how it ended.
  func follow(_ ended: @escaping LunaCommand.Action, _ code: ExitCode) -> LunaCommand.Action? {
    state.withLock { state in
      if state.works { state.proven = ended }
      defer { state.works = false }
      if let next = state.next {
        state.next = nil
        return next
      }
      guard !state.works, code.isFailure, let proven = state.proven else { return nil }
      // Once: where that cannot begin any more either, there is nothing to go on with.
      state.proven = nil
      Diagnostics(quiet: false, verbosity: 0).note(
        "luna: the service goes on with the configuration that it had")
      return proven
    }
  }
}
