import LunaCore

extension LunaOwner {
  /// How often a command is asked about in its first two minutes, when a gateway may be right there.
  static let firstPause: Duration = .seconds(1)
  /// How often it is later.
  static let laterPause: Duration = .seconds(10)

  /// What becomes of the commands that are followed, from now on: each with what has changed. Who is slow
  /// gets the last 64.
  public var updates: AsyncStream<RemoteCommand> { follower.updates.makeStream() }

  /// What goes wrong in asking about commands, from now on; after what may pass it is asked again, no sooner than the
  /// backend asks for. Who is slow gets the last 64.
  public var errors: AsyncStream<any Error> { follower.errors.makeStream() }

  /// Asks the backend about a command until it is over, or ``stopFollowing()``.
  public func startFollowing(_ command: RemoteCommand) {
    follower.start(command.requestID) { [weak self, clock] in
      var command = command
      var asked = Duration.zero
      let start = clock.elapsed()
      while !command.isFinal {
        let isNew = clock.elapsed() - start < .seconds(120)
        let pause = max(asked, isNew ? LunaOwner.firstPause : LunaOwner.laterPause)
        asked = .zero
        guard (try? await clock.sleep(pause)) != nil, !Task.isCancelled, let self else { return }
        do {
          let before = command
          command = try await followed(command)
          if command != before { follower.updates.tell(command) }
        } catch {
          guard !Task.isCancelled else { return }
          follower.errors.tell(error)
          guard let error = error as? BackendError, error.isTemporary else { return }
          asked = .seconds(min(error.retryAfter ?? 0, 3600))
        }
      }
    }
  }

  /// Asks about no command any more; they stay at the backend.
  public func stopFollowing() { follower.stop() }
}
