import EventLoop
import Testing

@Suite(.timeLimit(.minutes(10)))
struct ReactorWaitingTests {
  private actor Door: ReactorWaiting {
    nonisolated let reactor: Reactor
    var waiting: [CheckedContinuation<Void, Never>] = []
    private var isOpen = false

    init(_ reactor: Reactor) { self.reactor = reactor }

    func open() {
      isOpen = true
      changed()
    }

    func pass() async {
      while !isOpen { await wait(until: .now + .seconds(3600)) { !isOpen } }
    }

    func waitForNothing() async { await wait(until: .now + .seconds(3600)) { false } }
  }

  @Test func doesNotWaitForWhatIsThere() async {
    await Door(Reactor(name: "door")).waitForNothing()
  }

  /// Where a task has an executor of its own, others have their turn on the reactor between its lines.
  @Test func hearsOfChangesBetweenTheLookAndTheWait() async {
    let reactor = Reactor(name: "door")
    let tasks = BlockingTasks(name: "door-guests")
    for _ in 0..<200 {
      let door = Door(reactor)
      let guest = Task(executorPreference: tasks) { await door.pass() }
      await door.open()
      await guest.value
    }
  }
}
