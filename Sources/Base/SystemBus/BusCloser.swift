import EventLoop

/// Closes what nobody has any more, on the reactor that serves it.
actor BusCloser: ReactorActor {
  nonisolated let reactor: Reactor

  init(_ reactor: Reactor) { self.reactor = reactor }

  func close(_ loop: BusLoop) {
    loop.onSignal = { _ in }
    loop.onDisconnect = {}
    // Not from within its own callbacks.
    _ = reactor.schedule(after: .zero) { loop.close() }
  }
}
