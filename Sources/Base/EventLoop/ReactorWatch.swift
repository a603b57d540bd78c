/// A descriptor that a reactor watches. For use on the reactor's thread only.
public final class ReactorWatch {
  let descriptor: Int32
  private unowned let reactor: Reactor
  private var handler: ((Interest) -> Void)?

  /// What it is watched for; empty to pause.
  public var interest: Interest {
    didSet { if interest != oldValue { reactor.interestChanged(of: descriptor) } }
  }

  init(
    _ reactor: Reactor, _ descriptor: Int32, _ interest: Interest,
    _ handler: @escaping (Interest) -> Void
  ) {
    self.reactor = reactor
    self.descriptor = descriptor
    self.interest = interest
    self.handler = handler
  }

  func call(_ ready: Interest) {
    let mine = ready.intersection(interest.union([.failed, .hungUp]))
    if !mine.isEmpty { handler?(mine) }
  }

  /// Ends the watch; the handler is not called again.
  public func cancel() {
    guard handler != nil else { return }
    handler = nil
    reactor.remove(self)
  }
}
