import Dispatch
import EventLoop
import Synchronization

/// The threads around a `BlockOrder`.
final class BlockQueue: Sendable {
  /// A thread besides the writer's.
  private struct Helper: Sendable {
    let thread: Blocking
    let formatter: BlockFormatter
  }

  private struct State {
    var order: BlockOrder<ReportBlock>
    /// Those with nothing to do.
    var idle: [Helper]
  }

  private let state: Mutex<State>
  private let isOldestDone = DispatchSemaphore(value: 0)

  /// - Parameter helpers: one for each thread besides the writer's.
  init(limit: Int, helpers: [BlockFormatter]) {
    let idle = helpers.map { Helper(thread: Blocking(name: "luna.lines"), formatter: $0) }
    state = Mutex(State(order: BlockOrder(limit: limit), idle: idle))
  }

  /// Adds a block; a thread that is idle begins to work.
  func add(_ block: ReportBlock) {
    let helper = state.withLock { state -> Helper? in
      state.order.add(block)
      return state.idle.popLast()
    }
    guard let helper else { return }
    helper.thread.start { self.work(helper) }
  }

  /// Goes on as long as there is something to do.
  private func work(_ helper: Helper) {
    while let (number, block) = next(for: helper) {
      helper.formatter.format(block)
      finish(number)
    }
  }

  private func next(for helper: Helper) -> (number: Int, block: ReportBlock)? {
    state.withLock { state -> (number: Int, block: ReportBlock)? in
      if let next = state.order.begin() { return next }
      state.idle.append(helper)
      return nil
    }
  }

  /// What the writer does next; nil when there is room for another block, or none is left.
  func step(untilEmpty: Bool) -> BlockOrder<ReportBlock>.Step? {
    state.withLock { $0.order.step(untilEmpty: untilEmpty) }
  }

  /// A block is done.
  func finish(_ number: Int) {
    if state.withLock({ $0.order.finish(number) }) { isOldestDone.signal() }
  }

  /// Waits as a step says: no longer than lines of a block take, since it was begun.
  func wait() { isOldestDone.wait() }
}
