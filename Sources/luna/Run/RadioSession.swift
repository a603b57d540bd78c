import Bluetooth
import Glibc
import LunaCore
import LunaLocal

/// A radio that is listened to while something is done over connections.
struct RadioSession: Sendable {
  let radio: Radio
  let following: LocalFollowing
  let diagnostics: Diagnostics
  private let hear: @Sendable ([AdvertisingReport]) -> Void
  private let stop = StopRequest()

  /// - Parameter hear: gets all that is heard, after the follower has.
  init(
    _ radio: Radio, _ following: LocalFollowing, _ diagnostics: Diagnostics,
    hear: @escaping @Sendable ([AdvertisingReport]) -> Void = { _ in }
  ) {
    self.radio = radio
    self.following = following
    self.diagnostics = diagnostics
    self.hear = hear
  }

  /// Why it ended from outside: a signal; nil otherwise.
  var stopReason: StopRequest.Reason? { stop.reason }

  /// The exit code when a signal ended it.
  var interruption: ExitCode? {
    switch stop.reason {
    case .signal(SIGINT): .interrupted
    case .signal: .terminated
    case .complete, .closedPipe, nil: nil
    }
  }

  /// Starts the radio, does the work, and lets go of everything. A signal cancels the work.
  ///
  /// - Parameter started: called with what the radio is, before the work.
  /// - Throws: what the work throws; or why the radio failed for good.
  func run<Result: Sendable>(
    started: (SourceDescription) throws -> Void,
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    do throws(SourceError) {
      try await radio.source.start()
    } catch {
      throw CommandFailure(error)
    }
    let description = radio.source.description
    diagnostics.note("luna: " + description.explanation)
    do {
      try started(description)
    } catch {
      await radio.source.stop()
      throw error
    }
    let working = Task { try await work() }
    SignalWatcher.watch { [stop] number in
      if number == SIGUSR1 { return }
      guard stop.reason == nil else { _exit(128 + number) }
      stop.give(.signal(number))
      working.cancel()
    }
    let listening = listen { working.cancel() }
    let minder = following.mind { _ in }
    let result = await working.result
    // The client goes before the source that it may share a controller with.
    await radio.client.close()
    await radio.source.stop()
    minder.cancel()
    await minder.value
    await following.save()
    if let failure = await listening.value, case .failure = result { throw failure }
    return try result.get()
  }

  /// Lets the follower hear what comes; returns why the radio failed.
  private func listen(orElse giveUp: @escaping @Sendable () -> Void) -> Task<CommandFailure?, Never>
  {
    Task { [radio, following, hear] in
      do throws(SourceError) {
        while let batch = try await radio.source.nextBatch() {
          following.receive(batch) { _ in }
          hear(batch)
        }
        return nil
      } catch {
        giveUp()
        return CommandFailure(error)
      }
    }
  }
}
