/// Whether the thread of a reactor does its work.
public actor ReactorPulse: ReactorActor {
  /// Whose thread is meant.
  public nonisolated let reactor: Reactor

  /// Of a reactor.
  public init(of reactor: Reactor = .shared) { self.reactor = reactor }

  /// Returns when the thread has come round to it.
  public func beat() {}
}
