/// A call that a reactor will make. For use on the reactor's thread only.
public final class ReactorTimer {
  let deadline: ContinuousClock.Instant
  private unowned let reactor: Reactor
  private var handler: (() -> Void)?

  init(
    _ reactor: Reactor, _ deadline: ContinuousClock.Instant, _ handler: @escaping () -> Void
  ) {
    self.reactor = reactor
    self.deadline = deadline
    self.handler = handler
  }

  func fire() {
    let handler = handler
    self.handler = nil
    handler?()
  }

  /// Takes the call back; nothing happens when it was made already.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    reactor.remove(self)
  }
}
