package import Bluetooth
import Synchronization

/// Tells what is lost while it grows, each second, and the rest at the end: the one way of all that listen.
/// While nothing is heard it looks seldom, since then hardly anything is lost.
package final class LossWatch: Sendable {
  /// Losses by their reasons, each with its number.
  package typealias Losses = [(reason: String, count: UInt64)]

  private struct State {
    var losses = SourceLosses()
    /// Whether something was heard, or more was lost, since it was looked last.
    var isBusy = true
    /// Whether it waits for longer, since that was not so.
    var isResting = false
    var task: Task<Void, Never>?
  }

  /// How often is looked while something is heard.
  package static let tick: Duration = .seconds(1)
  /// How often is while nothing is.
  package static let idleTick: Duration = .seconds(30)

  private let clock: WallClock
  private let totals: @Sendable () -> Losses
  private let tell: @Sendable (Losses) async -> Void
  private let bell = Bell()
  private let state = Mutex(State())

  /// A watch that was not started.
  ///
  /// - Parameters:
  ///   - totals: how much was lost so far, for each reason once.
  ///   - tell: gets what was lost since it was called last, when something was.
  package init(
    clock: WallClock = .system, totals: @escaping @Sendable () -> Losses,
    tell: @escaping @Sendable (Losses) async -> Void
  ) {
    self.clock = clock
    self.totals = totals
    self.tell = tell
  }

  /// One of a source.
  package convenience init(
    _ source: any AdvertisementSource, clock: WallClock = .system,
    tell: @escaping @Sendable (Losses) async -> Void
  ) {
    self.init(clock: clock, totals: { source.counters.losses }, tell: tell)
  }

  /// Begins to look.
  package func start() {
    let task = Task { [weak self, bell, clock] in
      while !Task.isCancelled, let pause = self?.pause {
        await bell.wait(for: pause, by: clock)
        guard !Task.isCancelled else { return }
        await self?.look()
      }
    }
    state.withLock { $0.task = task }
  }

  /// Something was heard.
  package func heard() {
    let wasResting = state.withLock { state in
      defer { state.isResting = false }
      state.isBusy = true
      return state.isResting
    }
    if wasResting { bell.ring() }
  }

  /// Tells what was lost since it looked last.
  package func look() async {
    let totals = totals()
    let losses = state.withLock { state in
      let losses = state.losses.take(totals)
      if !losses.isEmpty { state.isBusy = true }
      return losses
    }
    if !losses.isEmpty { await tell(losses) }
  }

  /// Stops looking, and tells the rest: to be called when the source has stopped, since that counts what it
  /// could not finish.
  package func finish() async {
    let task = state.withLock { state in
      defer { state.task = nil }
      return state.task
    }
    task?.cancel()
    await task?.value
    await look()
  }

  /// How long until it looks again.
  private var pause: Duration {
    state.withLock { state in
      state.isResting = !state.isBusy
      state.isBusy = false
      return state.isResting ? LossWatch.idleTick : LossWatch.tick
    }
  }
}
