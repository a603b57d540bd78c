/// An actor on a reactor in which tasks wait until something has changed.
package protocol ReactorWaiting: ReactorActor {
  /// Those who wait.
  var waiting: [CheckedContinuation<Void, Never>] { get set }
}

extension ReactorWaiting {
  /// Has all who wait look at what has changed.
  package func changed() {
    let continuations = waiting
    waiting = []
    for continuation in continuations { continuation.resume() }
  }

  /// Waits until something has changed, or the time is over; not at all when there is nothing to wait
  /// for any more: between the caller's look and here, others may have their turn.
  package func wait(
    until deadline: ContinuousClock.Instant, while isNeeded: () -> Bool
  ) async {
    let timer = schedule(after: max(.zero, deadline - .now)) { $0.changed() }
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      guard isNeeded(), .now < deadline else { return continuation.resume() }
      waiting.append(continuation)
    }
    timer.cancel()
  }
}
