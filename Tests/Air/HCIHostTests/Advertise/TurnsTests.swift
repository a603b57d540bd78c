import EventLoop
import Testing

@testable import HCIHost

@Suite(.timeLimit(.minutes(10)))
struct TurnsTests {
  private actor Owner: ReactorActor {
    nonisolated let reactor = Reactor(name: "turns")
    private let turns = Turns()
    private var operations = OperationQueue()
    private var isBusy = false
    /// How often somebody had a turn while another one had it.
    private(set) var overlaps = 0

    func takeTurn() async {
      await turns.begin()
      defer { turns.end() }
      await work()
    }

    func operate() async {
      await withCheckedContinuation { operations.take($0) }
      defer { operations.leave() }
      await work()
    }

    private func work() async {
      if isBusy { overlaps += 1 }
      isBusy = true
      await Task.yield()
      isBusy = false
    }
  }

  /// Where tasks have an executor of their own, others have their turn on the reactor between their lines:
  /// who had the turn may have ended it before the next one waits.
  @Test(arguments: [false, true])
  func comesToEveryTaskOnItsOwnThread(asOperations: Bool) async {
    let owner = Owner()
    let threads = (0..<4).map { BlockingTasks(name: "turns-\($0)") }
    await withTaskGroup(of: Void.self) { group in
      for tasks in threads {
        group.addTask(executorPreference: tasks) {
          for _ in 0..<100 {
            if asOperations { await owner.operate() } else { await owner.takeTurn() }
          }
        }
      }
    }
    #expect(await owner.overlaps == 0)
  }
}
