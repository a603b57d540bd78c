/// An actor whose code runs on the thread of a reactor. Who runs there too need not wait for it
/// (`assumeIsolated`).
public protocol ReactorActor: Actor {
  /// Where it runs.
  nonisolated var reactor: Reactor { get }
}

extension ReactorActor {
  /// The reactor.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    reactor.asUnownedSerialExecutor()
  }

  /// Calls `body` once, `delay` from now, unless the timer is cancelled, or the actor gone, before.
  public func schedule(
    after delay: Duration, _ body: @escaping (isolated Self) -> Void
  ) -> ReactorTimer {
    reactor.schedule(after: delay) { [weak self] in self?.assumeIsolated(body) }
  }

  /// Calls `body` whenever `descriptor` is ready, until the watch is cancelled or the actor gone;
  /// cancel it before the descriptor is closed.
  public func onReady(
    _ descriptor: Int32, for interest: Interest,
    _ body: @escaping @Sendable (isolated Self, Interest) -> Void
  ) -> ReactorWatch {
    reactor.watch(descriptor, for: interest, ownedBy: self) { actor, ready in
      actor.assumeIsolated { body($0, ready) }
    }
  }
}
