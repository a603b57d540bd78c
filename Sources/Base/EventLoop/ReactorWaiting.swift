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

  /// Waits until something has changed, or the time is over.
  package func wait(until deadline: ContinuousClock.Instant) async {
    let timer = schedule(after: max(.zero, deadline - .now)) { $0.changed() }
    await withCheckedContinuation { waiting.append($0) }
    timer.cancel()
  }
}
