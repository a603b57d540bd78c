import Glibc
import LunaUplink
import Synchronization

/// What ends a check early, in order: the test that runs takes leave of its server.
final class UplinkStop: Sendable {
  /// Where the consent is.
  private let state: String
  private let request = StopRequest()
  private let test = Mutex<(@Sendable () -> Void)?>(nil)

  /// - Parameter state: the state directory, in which somebody may take the consent back meanwhile.
  init(in state: String) { self.state = state }

  /// Whether somebody wants it to end.
  var isGiven: Bool { request.reason != nil }

  /// Heeds signals from now on.
  ///
  /// - Parameter statistics: what SIGUSR1 is answered.
  func watch(_ diagnostics: Diagnostics, _ statistics: @escaping @Sendable () -> String) {
    SignalWatcher.watch { [self] number in
      guard number != SIGUSR1 else { return diagnostics.answer("luna: " + statistics()) }
      // The second time somebody means it.
      guard request.give(.signal(number)) else { Main.end(128 + number) }
      cancel()
    }
    ClosedPipe.watch { [self] in
      if request.give(.closedPipe) { cancel() }
    }
  }

  /// Has a test end early when that is wanted.
  ///
  /// - Parameter end: ends it; it may be called more than once.
  private func hold(_ end: @escaping @Sendable () -> Void) {
    test.withLock { $0 = end }
    if isGiven { end() }
  }

  /// Does something that tells what it is at, and shows that. It ends early when that is wanted, or the consent to it
  /// was taken back.
  func run<Moment: Sendable, Value: Sendable>(
    telling kind: Moment.Type,
    _ body:
      @escaping @Sendable (_ tell: @escaping @Sendable (Moment) -> Void) async throws -> Value,
    show: (Moment) throws -> Void
  ) async throws -> Value {
    let (moments, continuation) = AsyncStream.makeStream(of: kind)
    let task: Task<Value, any Error> = Task {
      defer { continuation.finish() }
      return try await body { continuation.yield($0) }
    }
    hold { task.cancel() }
    defer { task.cancel() }
    do {
      for await moment in moments {
        guard try await UplinkConsent(in: state).current() != nil else {
          throw CommandFailure(
            .noPermission, "the consent was taken back, and nothing more is sent",
            hint: "luna uplink consent --accept agrees again")
        }
        try show(moment)
      }
    } catch {
      // Who counts what went does so when nothing goes any more.
      task.cancel()
      _ = await task.result
      throw error
    }
    return try await task.value
  }

  /// The exit code of a check that ended in this one by itself.
  func code(_ code: ExitCode) -> ExitCode {
    switch request.reason {
    case .signal(SIGINT): .interrupted
    case .signal: .terminated
    case .closedPipe: .done
    case .complete, .reload, nil: code
    }
  }

  private func cancel() { test.withLock { $0 }?() }
}
